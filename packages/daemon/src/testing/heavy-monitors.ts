import { expect } from 'vitest';
import { boundTurnMs } from './bound-ms.ts';
import { measureLongestTurn } from './longest-turn.ts';
import type { TestDaemon } from './test-daemon.ts';

/** How many monitors `addHeavyMonitors` adds, and their size. */
export interface HeavySize {
  count: number;
  kilobytes: number;
}

/** Some monitors of the largest size, and many smaller ones. */
export const heavySizes: HeavySize[] = [
  { count: 60, kilobytes: 800 },
  { count: 1000, kilobytes: 60 },
];

/**
 * Adds monitors of this size to the region `eu`, in the project of this key. No other monitors may exist. Resolves with
 * the numbers of the added monitors.
 */
export async function addHeavyMonitors(
  daemon: TestDaemon,
  { count, kilobytes }: HeavySize,
  apiKey = daemon.apiKey,
): Promise<number[]> {
  const fields = { type: 'http', name: 'm', url: 'https://m.example/', method: 'POST', regions: ['eu'] };
  // JSON writes this character as six characters, and encryption makes the text longer by a third. So each character of
  // the body takes eight bytes.
  const large = { ...fields, body: '\u0001'.repeat((kilobytes * 1000) / 8) };
  expect((await daemon.request('POST', '/api/monitors', large, { apiKey })).status).toBe(201);
  const { store } = daemon;
  const { seq, ...monitor } = await store.db.selectFrom('monitor').selectAll().executeTakeFirstOrThrow();
  const { monitor: _, ...state } = await store.db.selectFrom('monitor_state').selectAll().executeTakeFirstOrThrow();
  const { monitor: __, ...schedule } = await store.db.selectFrom('schedule').selectAll().executeTakeFirstOrThrow();
  const monitors = [seq];
  await store.write(async (trx) => {
    for (let copy = 1; copy < count; copy++) {
      const row = await trx
        .insertInto('monitor')
        .values({ ...monitor, id: `${monitor.id}${copy}` })
        .returning('seq')
        .executeTakeFirstOrThrow();
      await trx
        .insertInto('monitor_state')
        .values({ ...state, monitor: row.seq })
        .execute();
      await trx
        .insertInto('schedule')
        .values({ ...schedule, monitor: row.seq })
        .execute();
      monitors.push(row.seq);
    }
  });
  return monitors;
}

/**
 * Returns the processor time of the longest turn of the event loop during `work`, in milliseconds. If it exceeds
 * `boundTurnMs`, runs `work` again, up to three times in all, and returns the lowest value.
 */
export async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  const turns: number[] = [];
  for (let run = 0; run < 3 && (run === 0 || Math.min(...turns) > boundTurnMs()); run++) {
    const { turnMs } = await measureLongestTurn(work);
    turns.push(turnMs);
  }
  return Math.min(...turns);
}
