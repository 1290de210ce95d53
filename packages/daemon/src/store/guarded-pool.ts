import { Socket } from 'node:net';
import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import { Pool, type PoolClient, type PoolConfig } from 'pg';
import { readSockets } from '../wait.ts';
import { databaseCode } from './failures.ts';
import { applySettings, type RunStatement } from './session-settings.ts';

/** When the pool ends, connections get this time to close properly. On a dead network they never close properly. */
const goodbyeMs = 500;

/**
 * After an error with one of these codes, the connection is useless. Most likely, all connections that were opened
 * before the error are useless too.
 */
const spoiling = /^(08|25006$|25P03$|57P|ETIMEDOUT$|ECONNRESET$|EPIPE$)/;

/** In a transaction, every statement after a failed one gets this error code. */
const transactionAborted = '25P02';

/** The database did not answer a statement within its time limit. */
class StatementTimeout extends Error {
  override name = 'StatementTimeout';
  readonly code = 'ETIMEDOUT';
}

/**
 * Returns a pool that does not reuse bad connections. It discards a connection when a statement takes longer than
 * `statementLimitMs` (perhaps the network drops packets), or when the session is read-only (after a failover).
 * Connections opened before that moment most likely share the fault. The pool discards these too, when they are free.
 */
export function createGuardedPool(
  config: PoolConfig,
  { statementLimitMs }: { statementLimitMs: number },
): { pool: Pool; guarded: PostgresPool } {
  const sockets = new Set<Socket>();
  const pool = new Pool({
    ...config,
    stream: () => {
      const socket = new Socket();
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
      return socket;
    },
  });
  const clients = new WeakMap<PoolClient, GuardedClient>();
  let generation = 0;

  const guard = async (client: PoolClient): Promise<GuardedClient> => {
    const one = guardClient(client, {
      statementLimitMs,
      born: generation,
      generation: () => generation,
      onSpoilt: () => void generation++,
    });
    clients.set(client, one);
    try {
      await one.begin();
    } catch (error) {
      one.release(true);
      throw error;
    }
    return one;
  };
  const connect = async (): Promise<PostgresPoolClient> => {
    for (;;) {
      const client = await pool.connect();
      const known = clients.get(client);
      if (known === undefined) return guard(client);
      if (known.isFresh()) return known;
      known.release(true);
    }
  };
  const end = async () => {
    const cut = setTimeout(() => {
      for (const socket of sockets) socket.destroy();
    }, goodbyeMs);
    await pool.end();
    // `pool.end` does not wait until its sockets have closed, so the next line waits for them. On a dead network they
    // close only because `cut` destroys them.
    await Promise.all([...sockets].map(closed));
    clearTimeout(cut);
  };
  return { pool, guarded: { connect, end, options: pool.options } };
}

interface GuardedClient extends PostgresPoolClient {
  /** Applies the session settings to a new connection. */
  begin(): Promise<void>;
  /** Whether the connection may be used again. */
  isFresh(): boolean;
}

interface Guard {
  statementLimitMs: number;
  /** The number of faults that the pool had seen when this connection was opened. */
  born: number;
  /**
   * Returns the number of faults that the pool has seen until now. A connection whose `born` is lower is not used
   * again.
   */
  generation: () => number;
  onSpoilt: () => void;
}

function guardClient(client: PoolClient, guard: Guard): GuardedClient {
  let spoilt: unknown = null;
  let abortedBy: unknown;
  const answered = createAnswerTimer(guard.statementLimitMs);
  const send: RunStatement = async (sql, parameters) => {
    // After a `spoiling` error, nothing more is sent on the connection. The following rollback fails with the same
    // error.
    if (spoilt !== null) throw spoilt;
    try {
      return await answered(client.query(sql, parameters.length > 0 ? [...parameters] : undefined));
    } catch (error) {
      // After a failed statement, the later statements of its transaction fail with this code, which does not say the
      // cause. So the caller gets the error of the first failed statement.
      if (databaseCode(error) === transactionAborted) throw abortedBy ?? error;
      abortedBy = error;
      if (spoiling.test(databaseCode(error))) {
        spoilt ??= error;
        if (guard.born === guard.generation()) guard.onSpoilt();
      }
      throw error;
    }
  };
  let run = send;
  function query<R>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>>;
  function query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>;
  function query(sql: unknown, parameters: readonly unknown[] = []): unknown {
    if (typeof sql !== 'string') throw new Error('The guarded pool has no cursors.');
    return run(sql, parameters);
  }
  const isFresh = () => spoilt === null && guard.born === guard.generation();
  return {
    query,
    async begin() {
      run = await applySettings(send, { processId: processIdOf(client), limitMs: guard.statementLimitMs });
    },
    isFresh,
    release: (discard) => client.release(discard === true || !isFresh()),
  };
}

/**
 * Returns a function that waits for the answer to a statement. The server answers the statements of a connection one
 * after another. So if the server answers no statement for `limitMs`, all waiting statements are rejected. If this
 * process stalled, answers may have arrived although the timer fires. So this function reads the sockets before it
 * rejects statements.
 */
function createAnswerTimer(limitMs: number): <T>(answer: Promise<T>) => Promise<T> {
  const waiting = new Set<(reason: Error) => void>();
  let timer: NodeJS.Timeout | undefined;
  const giveUp = async () => {
    const unanswered = [...waiting];
    await readSockets();
    // The connection has answered one of these statements after all, so the timer was restarted.
    if (unanswered.some((reject) => !waiting.has(reject))) return;
    const late = new StatementTimeout(`The database did not answer within ${limitMs / 1000} s.`);
    for (const reject of waiting) reject(late);
  };
  return async (answer) => {
    const late = Promise.withResolvers<never>();
    if (waiting.size === 0) timer = setTimeout(() => void giveUp(), limitMs);
    waiting.add(late.reject);
    try {
      return await Promise.race([answer, late.promise]);
    } finally {
      waiting.delete(late.reject);
      if (waiting.size > 0) timer?.refresh();
      else clearTimeout(timer);
    }
  };
}

/**
 * Returns the id of the server process, which the server sent at the start of the connection; 0 if it is unknown. The
 * driver's types lack this field.
 */
const processIdOf = (client: PoolClient): number =>
  'processID' in client && typeof client.processID === 'number' ? client.processID : 0;

const closed = (socket: Socket) => new Promise<void>((resolve) => void socket.once('close', () => resolve()));
