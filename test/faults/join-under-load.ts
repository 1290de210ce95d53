import { expect } from 'vitest';
import { databases } from '../../packages/daemon/src/testing/databases.ts';
import { httpTarget } from '../../packages/daemon/src/testing/targets/index.ts';
import { startDaemonProcess } from './daemon-process.ts';
import { countWrongRounds } from './count-wrong-rounds.ts';
import { type Peer, startPeer } from './peer.ts';
import { until } from './until.ts';

export interface JoiningLoad {
  times: number;
  monitors: number;
  intervalSeconds: number;
  /** How long two daemons check at the same time before the older daemon leaves. */
  togetherMs: number;
  /** Maximum time for the start of a daemon beside another daemon. */
  joinWithinMs: number;
}

/**
 * Daemons join one PostgreSQL and leave it while they check many monitors. Expects that each daemon joins within
 * `joinWithinMs`, that the older daemon then ends with code 0, and that no check is missed or repeated. Resolves with
 * the longest time of a start.
 */
export async function joinUnderLoad(load: JoiningLoad): Promise<{ longestStartMs: number }> {
  const intervalMs = load.intervalSeconds * 1000;
  await using started = new AsyncDisposableStack();
  const database = await databases.find(({ name }) => name === 'postgres')!.open();
  started.defer(() => database.dispose());
  const { store } = database;
  const env = { UPTIME_DATABASE_URL: database.options.databaseUrl!, UPTIME_SECRET_KEY: 'x'.repeat(40) };
  const target = await httpTarget((_, response) => response.end('ok'));
  started.defer(() => target.close());
  const first = started.use(await startDaemonProcess({ env }));
  for (let made = 0; made < load.monitors; made++)
    await first.monitor({ type: 'http', url: target.url, interval: load.intervalSeconds });
  const passed = (ms: number) => {
    const end = Date.now() + ms;
    return until('time has passed', ms + 1000, () => Date.now() >= end);
  };
  // The first check of a monitor runs at its creation. Only later checks run at due times, which are an interval apart.
  await passed(2 * intervalMs);

  const from = Date.now();
  let older: Pick<Peer, 'end'> = first;
  let longestStartMs = 0;
  for (let time = 0; time < load.times; time++) {
    const begun = performance.now();
    const peer = started.use(await startPeer(env));
    longestStartMs = Math.max(longestStartMs, performance.now() - begun);
    await passed(load.togetherMs);
    expect(await older.end('SIGTERM')).toMatchObject({ code: 0 });
    older = peer;
  }
  const end = Date.now();
  // A daemon may collect results for up to a second before it stores them.
  await passed(2 * intervalMs + 1000);
  expect(await countWrongRounds(store, { from, until: end, intervalMs })).toEqual({ missed: 0, doubled: 0 });
  expect(longestStartMs).toBeLessThan(load.joinWithinMs);
  return { longestStartMs };
}
