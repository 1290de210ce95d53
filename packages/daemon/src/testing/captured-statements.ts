import Database from 'better-sqlite3';
import { Client } from 'pg';
import { vi } from 'vitest';

/**
 * A statement as the daemon sent it to the database. For SQLite the parameters are left out, because SQLite's query
 * plans do not depend on them.
 */
export interface CapturedStatement {
  sql: string;
  parameters: readonly unknown[];
}

/**
 * Collects all statements that this process sends to databases. If you declare the capture with `using`, it ends at the
 * end of the block.
 */
export interface StatementCapture extends Disposable {
  /** Returns the statements that read or change rows: each text once, with the parameters of its last use. */
  statements(): CapturedStatement[];
}

export function captureStatements(): StatementCapture {
  const prepared = vi.spyOn(Database.prototype, 'prepare');
  const sent = vi.spyOn(Client.prototype, 'query');
  return {
    statements() {
      const calls: readonly unknown[][] = [...prepared.mock.calls, ...sent.mock.calls];
      const found = new Map<string, CapturedStatement>();
      for (const [sql, parameters] of calls) {
        if (typeof sql !== 'string' || !readsRows.test(sql)) continue;
        found.set(sql, { sql, parameters: Array.isArray(parameters) ? parameters : [] });
      }
      return [...found.values()];
    },
    [Symbol.dispose]() {
      prepared.mockRestore();
      sent.mockRestore();
    },
  };
}

const readsRows = /^\s*(select|with|insert|update|delete)\b/i;
