import { expect } from 'vitest';
import { measureLongestTurn } from './longest-turn.ts';
import type { TestDaemon } from './test-daemon.ts';

/** Longest time for which reading monitors may block the event loop. */
export const longestTurnMs = 50;
/** Number of monitors that `addHeavyMonitors` adds. */
export const heavyCount = 60;

/**
 * Adds monitors of the largest size to the region `eu`, in the project of this key. No other monitors may exist.
 * Resolves with their numbers.
 */
export async function addHeavyMonitors(daemon: TestDaemon, apiKey = daemon.apiKey): Promise<number[]> {
  const fields = { type: 'http', name: 'm', url: 'https://m.example/', method: 'POST', regions: ['eu'] };
  const large = { ...fields, body: '\u0001'.repeat(100_000) };
  expect((await daemon.request('POST', '/api/monitors', large, { apiKey })).status).toBe(201);
  const { db } = daemon.store;
  const { seq, ...monitor } = await db.selectFrom('monitor').selectAll().executeTakeFirstOrThrow();
  const { monitor: _, ...state } = await db.selectFrom('monitor_state').selectAll().executeTakeFirstOrThrow();
  const { monitor: __, ...schedule } = await db.selectFrom('schedule').selectAll().executeTakeFirstOrThrow();
  const monitors = [seq];
  for (let copy = 1; copy < heavyCount; copy++) {
    const row = await db
      .insertInto('monitor')
      .values({ ...monitor, id: `${monitor.id}${copy}` })
      .returning('seq')
      .executeTakeFirstOrThrow();
    await db
      .insertInto('monitor_state')
      .values({ ...state, monitor: row.seq })
      .execute();
    await db
      .insertInto('schedule')
      .values({ ...schedule, monitor: row.seq })
      .execute();
    monitors.push(row.seq);
  }
  return monitors;
}

/**
 * Returns the processor time of the longest turn of the event loop during `work`, in milliseconds. It runs `work`
 * several times and returns the lowest value.
 */
export async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  const turns: number[] = [];
  for (let run = 0; run < 3 && (run === 0 || Math.min(...turns) > longestTurnMs); run++) {
    const { turnMs } = await measureLongestTurn(work);
    turns.push(turnMs);
  }
  return Math.min(...turns);
}
