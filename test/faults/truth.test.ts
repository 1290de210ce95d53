import { describe, test } from 'vitest';
import { runOutOfDescriptors } from './descriptors.ts';
import { fillStoreUntilFull } from './full-store.ts';
import { beLockedOut } from './locked-store.ts';
import { loseResolver } from './resolver.ts';
import { stopProcess, stallEventLoop } from './stalls.ts';

/** All tests run at the same time, because each has its own daemon and mostly waits. */
describe.concurrent('a fault of the daemon itself marks no monitor down, hides no outage, and loses nothing:', () => {
  test('an event loop that stalls for 1.5 s again and again', stallEventLoop);
  test('a process that is stopped for 5 s', stopProcess);
  test('no descriptors left, not even for the pings of a job', runOutOfDescriptors);
  test('a database that another process locks for 10 s, while reads continue and pings wait', beLockedOut);
  test.each(['closed', 'silent'] as const)('a resolver that is %s', loseResolver);
  test('a full store, which refuses pings instead of acknowledging them', fillStoreUntilFull);
});
