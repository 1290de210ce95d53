import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Store } from '../store/store.ts';
import { createFakeClock } from '../testing/fake-clock.ts';
import { createTestDaemon, silentLog, type TestDaemon } from '../testing/test-daemon.ts';
import { watchUnreadableSecrets } from './unreadable-secrets.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await createTestDaemon();
});
afterAll(() => daemon.close());

const add = () =>
  daemon.request('POST', '/api/notification-channels', {
    type: 'webhook',
    name: 'hook',
    config: { url: 'https://hooks.example.com/' },
  });
const found = [
  expect.stringContaining('0 monitor(s) and 1 channel(s)'),
  expect.stringContaining('1 channel whose config cannot be read'),
];

test('warnings repeat the last result while a scan fails, and follow changes after the next scan', async () => {
  const clock = createFakeClock();
  let isLost = false;
  const store: Store = {
    ...daemon.store,
    get db() {
      if (isLost) throw new Error('The database is gone.');
      return daemon.store.db;
    },
  };
  await add();
  const notifier = { open: () => null };
  const secrets = watchUnreadableSecrets(
    { clock, log: silentLog },
    { store, vault: { open: () => expect.unreachable() }, notifier },
  );
  expect(await secrets.warnings()).toEqual(found);

  isLost = true;
  clock.jump(60_000);
  expect(await secrets.warnings()).toEqual(found);
  expect(await secrets.warnings()).toEqual(found);

  isLost = false;
  await daemon.store.db.deleteFrom('channel').execute();
  clock.jump(60_000);
  await vi.waitFor(async () => expect(await secrets.warnings()).toEqual([]));

  // Another node with another secret key may store a channel later.
  await add();
  clock.jump(10 * 60_000);
  await vi.waitFor(async () => expect(await secrets.warnings()).toEqual(found));
  await secrets.close();
});
