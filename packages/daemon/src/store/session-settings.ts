/** Sends one statement and resolves with its result. */
export type RunStatement = (sql: string, parameters: readonly unknown[]) => Promise<unknown>;

/**
 * Returns the settings of a session. They are sent as a statement, because PgBouncer refuses them as connection
 * parameters.
 * - Time limits: with them, the server ends the session of a dead connection, and so releases the session's locks.
 * - The cost of a random read. With the default cost, which fits a slow disk, the planner would read whole tables to
 *   find a hundred monitors.
 */
const settings = (limitMs: number): [name: string, value: string][] => [
  ['statement_timeout', String(limitMs)],
  ['idle_in_transaction_session_timeout', String(limitMs)],
  ['random_page_cost', '1.1'],
];

/**
 * Applies the settings to a new connection. Returns the function that runs statements on this connection. Behind a
 * pooler in transaction mode, each transaction gets another session, which other programs share. In this case, each
 * transaction begins with the settings, and they end with it. `processId` is the process number that the connection got
 * at its start. If another server process runs the statements, there is a pooler.
 */
export async function applySettings(
  run: RunStatement,
  { processId, limitMs }: { processId: number; limitMs: number },
): Promise<RunStatement> {
  const calls = settings(limitMs).map(([name, value]) => `set_config('${name}', '${value}', false)`);
  const answer = await run(`select ${calls.join()} where pg_backend_pid() = ${processId}`, []);
  return wasApplied(answer) ? run : inTransactions(run, settings(limitMs));
}

function wasApplied(answer: unknown): boolean {
  if (typeof answer !== 'object' || answer === null || !('rows' in answer) || !Array.isArray(answer.rows))
    throw new Error('The database did not report whether a connection has its settings.');
  return answer.rows.length === 1;
}

/**
 * Returns a function that sends the settings at the beginning of each transaction. A statement outside a transaction
 * gets a transaction of its own, in one round trip.
 */
function inTransactions(run: RunStatement, values: [name: string, value: string][]): RunStatement {
  const local = values.map(([name, value]) => `set local ${name} = ${value}`).join('; ');
  let isOpen = false;
  return async (sql, parameters) => {
    if (begins.test(sql)) {
      isOpen = true;
      return run(`${sql}; ${local}`, parameters);
    }
    if (isOpen) {
      isOpen = !ends.test(sql);
      return run(sql, parameters);
    }
    // If the statement fails, the server treats this commit as a rollback.
    const parts = [run(`begin; ${local}`, []), run(sql, parameters), run('commit', [])] as const;
    // The connection is free again when all three statements have their answers.
    await Promise.allSettled(parts);
    const [, answer] = await Promise.all(parts);
    return answer;
  };
}

const begins = /^(begin|start transaction)\b/;
const ends = /^(commit|rollback)$/;
