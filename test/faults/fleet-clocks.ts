import { type Clock, systemClock } from '../../packages/daemon/src/deps.ts';
import { startFleet } from './fleet.ts';
import type { WronglyTimed } from './wrong-clocks.ts';

/** Where the clock is wrong: on one daemon's machine, on the machines of all daemons, or there and in the database. */
export type Wrong = 'one machine' | 'all machines' | 'all machines and the database';

const daemons = 3;

/** Starts three daemons on one PostgreSQL, each with its own clock. Each ping goes to the next daemon. */
export async function inAFleet(wrong: Wrong): Promise<WronglyTimed> {
  const aheadMs = Array.from({ length: daemons }, () => 0);
  const machineOf = (at: number): Clock => ({ ...systemClock, now: () => systemClock.now() + aheadMs[at]! });
  await using started = new AsyncDisposableStack();
  const fleet = started.use(await startFleet({ machine: machineOf(0) }));
  const urls = [fleet.first.url];
  for (let at = 1; at < daemons; at++) urls.push((await fleet.join({ machine: machineOf(at) })).localUrl);
  let pinged = 0;
  const kept = started.move();
  return {
    url: () => urls[pinged++ % daemons]!,
    request: (method, path, body) => fleet.first.request(method, path, body),
    async setAhead(ms) {
      for (let at = 0; at < daemons; at++) if (at === 1 || wrong !== 'one machine') aheadMs[at] = ms;
      if (wrong === 'all machines and the database') await fleet.setDatabaseAhead(ms);
    },
    async restart() {
      throw new Error('These tests do not restart daemons that share one PostgreSQL.');
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}
