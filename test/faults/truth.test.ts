import { describe, test } from 'vitest';
import { runOutOfDescriptors } from './descriptors.ts';
import { fillStoreUntilFull } from './full-store.ts';
import { beLockedOut } from './locked-store.ts';
import { loseResolver } from './resolver.ts';
import { stopProcess, stallEventLoop } from './stalls.ts';

/** All tests run at the same time, because each has its own daemon and mostly waits. */
describe.concurrent('a daemon with a fault of its own', () => {
  test('an event loop that stalls for 1.5 s again and again causes no false alarm and hides no outage', stallEventLoop);
  test('a suspension of the process for 5 s causes no false alarm and hides no outage', stopProcess);
  test(
    'a lack of descriptors, even for the pings of a job, causes no false alarm and hides no outage',
    runOutOfDescriptors,
  );
  test(
    'while another process locks the database for 10 s, reads continue and pings wait; no ping is lost, and no outage is hidden',
    beLockedOut,
  );
  test.each(['closed', 'silent'] as const)(
    'a resolver that is %s causes no false alarm and hides no outage',
    loseResolver,
  );
  test(
    'a full store refuses pings instead of acknowledging them, causes no false alarm, and hides no outage',
    fillStoreUntilFull,
  );
});
