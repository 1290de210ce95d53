import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Sent } from '../../channels/index.ts';
import type { ChannelTable } from '../../store/tables.ts';
import { databases, type TestDatabase } from '../../testing/databases.ts';
import { arrived, channelRow, failing, openTestAlert, refused } from '../../testing/outbox.ts';
import { projectRow } from '../../testing/rows.ts';
import { createFakeClock } from '../../testing/fake-clock.ts';
import { claimDeliveries, type ClaimedDelivery, releaseClaims } from './claim-deliveries.ts';
import { finishDelivery } from './finish-delivery.ts';
import { hasIncident } from './paging-incidents.ts';
import { createClaimRenewal } from './renew-deliveries.ts';
import { reviveChannel } from './revive-channel.ts';

const now = 1_000_000;

describe.each(databases)('a running attempt on $name', ({ open }) => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await open();
    await database.store.db.insertInto('project').values(projectRow('prj')).execute();
  });
  afterEach(() => database.dispose());

  const begin = async (type: ChannelTable['type']): Promise<ClaimedDelivery> => {
    await database.store.db.insertInto('channel').values(channelRow('chn_1', { type })).execute();
    await openTestAlert(database.store, 'alr_1', { channel: 1, at: now });
    return claim();
  };
  const claim = async (at = now): Promise<ClaimedDelivery> => {
    const [claimed] = await claimDeliveries(database.store, [1], { now: at, leaseUntil: at + 60_000 });
    if (!claimed) throw new Error('Nothing was claimed.');
    return claimed;
  };
  const finish = (claimed: ClaimedDelivery, sent: Sent, at = now + 10) =>
    database.store.write((trx) => finishDelivery(trx, { claimed, sent, begunAt: now, at, durationMs: 1, random: 0 }));
  const changeConfig = () =>
    database.store.write(async (trx) => {
      await trx.updateTable('channel').set({ config: 'another' }).execute();
      await reviveChannel(trx, 1, { at: now + 5, fresh: true });
    });
  const delivery = () => database.store.db.selectFrom('delivery').selectAll().executeTakeFirstOrThrow();
  const channel = () => database.store.db.selectFrom('channel').selectAll().executeTakeFirstOrThrow();

  it.each([
    ['refused', refused],
    ['rate-limited', { ...failing, status: 429, retryAfterMs: 900_000 }],
    ['answered with a status 5xx', failing],
  ] as const)(
    'an attempt that is %s is retried at once if the config of the channel was changed during the attempt',
    async (_, sent) => {
      const claimed = await begin('slack');
      await database.store.db.updateTable('delivery').set({ refusals: 1, attempts: 9, tried_since: 1 }).execute();
      await changeConfig();
      await finish(claimed, sent);
      expect(await delivery()).toMatchObject({ status: 'pending', next_at: now + 10, attempts: 0, refusals: 0 });
      expect(await channel()).toMatchObject({ wait_until: 0, limits: 0, last_error: null });
      await finish(await claim(now + 20), arrived);
      expect(await delivery()).toMatchObject({ status: 'sent' });
    },
  );

  it('an attempt whose message arrives is not repeated, even if the config was changed during the attempt', async () => {
    const claimed = await begin('slack');
    await changeConfig();
    await finish(claimed, arrived);
    expect(await delivery()).toMatchObject({ status: 'sent', next_at: null });
  });

  it('a failed attempt whose claim has ended changes nothing if another process has claimed the message since', async () => {
    const lost = await begin('slack');
    const taken = await claim(now + 60_000);
    const before = await delivery();
    const renew = createClaimRenewal(database.store, createFakeClock(now + 60_000), 0);
    await renew([lost]);
    await releaseClaims(database.store, [lost], now + 60_005);
    await finish(lost, failing, now + 60_010);
    expect(await delivery()).toEqual(before);
    await releaseClaims(database.store, [taken], now + 60_020);
    expect(await delivery()).toMatchObject({ status: 'pending', next_at: now + 60_020, lease_until: 0 });
  });

  it('a successful attempt finishes the message even if its claim has ended, so that no process sends the message again', async () => {
    const lost = await begin('slack');
    const taken = await claim(now + 60_000);
    await finish(lost, arrived, now + 60_010);
    await finish(taken, failing, now + 60_020);
    expect(await delivery()).toMatchObject({ status: 'sent', next_at: null });
  });

  it('if the daemon was killed during an attempt, the alarm may have opened an incident, even if the next attempt is refused', async () => {
    await begin('pagerduty');
    await finish(await claim(now + 60_000), { ...failing, status: 429 }, now + 60_010);
    expect(await database.store.write((trx) => hasIncident(trx, 1, 'sealed'))).toBe(true);
  });

  it('a refused alarm has opened no incident at the paging service', async () => {
    await finish(await begin('pagerduty'), refused);
    expect(await database.store.write((trx) => hasIncident(trx, 1, 'sealed'))).toBe(false);
  });
});
