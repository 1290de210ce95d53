/** Sends one statement and resolves with its result. */
export type RunStatement = (sql: string, parameters: readonly unknown[]) => Promise<unknown>;

/**
 * Settings that apply to every statement. They are sent as a statement, because PgBouncer refuses them as connection
 * parameters.
 * - Time limits, so that the server ends the session of a dead connection, which then releases its locks.
 * - Costs of reads from memory. With the default costs, which fit a slow disk, the planner would read whole tables
 *   to find a hundred monitors.
 */
const settings = (limitMs: number): [name: string, value: string][] => [
  ['statement_timeout', String(limitMs)],
  ['idle_in_transaction_session_timeout', String(limitMs)],
  ['random_page_cost', '1.1'],
];

/**
 * Sets up a new connection, and returns the function that runs statements on it. Behind a pooler in transaction mode,
 * each transaction gets another session, which other programs share. So each transaction there begins with the
 * settings, and they end with it. A pooler can be recognized: the process numbers of its connections belong to no
 * server process.
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
 * Sends the settings at the beginning of each transaction. A single statement becomes a transaction, in one round trip.
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
    // If the statement fails, the commit rolls back.
    const parts = [run(`begin; ${local}`, []), run(sql, parameters), run('commit', [])] as const;
    // The connection is free again when all three have their answers.
    await Promise.allSettled(parts);
    const [, answer] = await Promise.all(parts);
    return answer;
  };
}

const begins = /^(begin|start transaction)\b/;
const ends = /^(commit|rollback)$/;
