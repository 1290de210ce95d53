import { describe, expect, it } from 'vitest';
import { databases } from '../testing/databases.ts';
import { arrived, failing, openTestAlert, refused } from '../testing/outbox.ts';
import { createDeliveriesWorld } from '../testing/deliveries-world.ts';

const hour = 3_600_000;

describe.each(databases)('deliveries on $name', ({ name, open }) => {
  const world = createDeliveriesWorld({ open });

  const { start, until, delivery, unfinished, settled, look, what, alerts, channel, logged, untilGivenUp } = world;

  it('the daemon retries a failed message after 2 s, 4 s, 8 s and so on, and shows the failure at the channel', async () => {
    world.answer = () => (world.attempts.length < 5 ? failing : arrived);
    await openTestAlert(world.store, 'a', { channel: 1, at: world.clock.now() });
    await start();
    await until(() => world.attempts.length === 2);
    await until(async () => (await channel('chn_1')).last_error !== null);
    expect(await channel('chn_1')).toMatchObject({ last_sent_at: null, last_error: 'HTTP 500 broken' });
    expect(await alerts()).toEqual([{ id: 'a', delivery_status: 'pending', error: 'HTTP 500 broken' }]);
    await until(async () => (await unfinished()) === 0, 100);
    expect((await logged()).map(({ status }) => status)).toEqual([500, 500, 500, 500, 200]);
    const times = await world.store.db.selectFrom('delivery_attempt').select('at').orderBy('at').execute();
    const gaps = times.slice(1).map(({ at }, before) => at - times[before]!.at);
    expect(gaps.every((gap, count) => gap >= 2000 * 2 ** count)).toBe(true);
    expect(await channel('chn_1')).toMatchObject({ last_error: null });
    expect(await alerts()).toEqual([{ id: 'a', delivery_status: 'sent', error: null }]);
  });

  it('the daemon gives up a message and its recovery after a day of failures, and then sends the messages of the next alert', async () => {
    world.answer = ({ what }) => (what === 'alarm a' ? failing : arrived);
    const begun = world.clock.now();
    await openTestAlert(world.store, 'a', { channel: 1, at: begun, kinds: ['alarm', 'recovery'] });
    await openTestAlert(world.store, 'b', { channel: 1, at: begun });
    await start();
    await untilGivenUp();
    expect(world.clock.now() - begun).toBeGreaterThan(22 * hour);
    expect(world.clock.now() - begun).toBeLessThanOrEqual(24 * hour);
    await settled();
    expect(new Set(what())).toEqual(new Set(['alarm a', 'alarm b']));
    expect(await alerts()).toEqual([
      { id: 'a', delivery_status: 'failed', error: 'HTTP 500 broken' },
      { id: 'b', delivery_status: 'sent', error: null },
    ]);
    expect((await logged()).map(({ text }) => text)).toContain(
      'Not sent, because the alarm of this outage did not arrive.',
    );
  });

  it('a message is retried for a day after the first attempt, even if the daemon was stopped for days before that attempt', async () => {
    world.answer = () => failing;
    await openTestAlert(world.store, 'a', { channel: 1, at: world.clock.now() });
    world.clock.jump(72 * hour);
    const begun = world.clock.now();
    await start();
    await untilGivenUp();
    expect(world.clock.now() - begun).toBeGreaterThan(22 * hour);
    expect(world.clock.now() - begun).toBeLessThanOrEqual(24 * hour);
  });

  it('after the daemon was stopped for more than a day, it retries a failed message once, and then gives up', async () => {
    world.answer = () => failing;
    await openTestAlert(world.store, 'a', { channel: 1, at: world.clock.now() });
    const first = await start();
    await until(async () => (await logged()).length === 1);
    world.running = [];
    await until(first.stop().then(() => true));
    world.clock.jump(72 * hour);
    await start();
    await settled();
    expect(world.attempts).toHaveLength(2);
    expect(await alerts()).toEqual([{ id: 'a', delivery_status: 'failed', error: 'HTTP 500 broken' }]);
  });

  it('the daemon retries a refused alarm once, a minute later, and sends no recovery if the retry is refused, too', async () => {
    world.answer = ({ what }) => (what === 'alarm a' ? refused : arrived);
    await openTestAlert(world.store, 'a', { channel: 1, at: world.clock.now(), kinds: ['alarm', 'recovery'] });
    await start();
    const begun = world.clock.now();
    await until(() => world.attempts.length === 2, 1000);
    expect(world.clock.now() - begun).toBeGreaterThanOrEqual(60_000);
    await settled();
    expect(what()).toEqual(['alarm a', 'alarm a']);
    expect(await alerts()).toEqual([{ id: 'a', delivery_status: 'failed', error: 'HTTP 404 no such hook' }]);
  });

  it('the daemon delivers an alarm if the provider refuses the first attempt and accepts the retry', async () => {
    world.answer = () => (world.attempts.length === 1 ? refused : arrived);
    await openTestAlert(world.store, 'a', { channel: 1, at: world.clock.now() });
    await start();
    await until(async () => (await unfinished()) === 0, 1000);
    expect(await alerts()).toEqual([{ id: 'a', delivery_status: 'sent', error: null }]);
  });

  it('after a rate limit, the daemon sends nothing to the channel for as long as the response asks, up to 15 minutes', async () => {
    world.answer = () => (world.attempts.length === 1 ? { ...failing, status: 429, retryAfterMs: 24 * hour } : arrived);
    await openTestAlert(world.store, 'a', { channel: 1, at: world.clock.now() });
    await start();
    await until(async () => (await channel('chn_1')).wait_until > 0);
    const asked = (await channel('chn_1')).wait_until;
    await openTestAlert(world.store, 'b', { channel: 1, at: world.clock.now(), monitor: 2 });
    await openTestAlert(world.store, 'c', { channel: 2, at: world.clock.now() });
    await until(() => world.attempts.length === 2);
    await look();
    expect(what()).toEqual(['alarm a', 'alarm c']);
    expect(asked).toBeGreaterThan(world.clock.now() + 10 * 60_000);
    expect(asked).toBeLessThanOrEqual(world.clock.now() + 15 * 60_000);
    // A rate limit does not count as a failure of the message.
    expect(await delivery(world.attempts[0]!.id)).toMatchObject({ status: 'pending', attempts: 0 });
    world.clock.jump(15 * 60_000);
    await settled();
    expect(what().toSorted()).toEqual(['alarm a', 'alarm a', 'alarm b', 'alarm c']);
  });

  const paced = async (retryAfter: number | null) => {
    let taken = -Infinity;
    world.answer = () => {
      if (world.clock.now() - taken < 1000) return { ...failing, status: 429, retryAfterMs: retryAfter };
      taken = world.clock.now();
      return arrived;
    };
    for (let monitor = 1; monitor <= 60; monitor++)
      await openTestAlert(world.store, `a${monitor}`, { channel: 1, at: world.clock.now(), monitor });
    await start();
    const begun = world.clock.now();
    await until(async () => (await unfinished()) === 0, 20);
    expect(world.clock.now() - begun).toBeLessThan(1.2 * 60_000);
  };

  // On PostgreSQL these tests would fail: the clock of the test runs on while the database answers.
  if (name === 'sqlite') {
    it('the daemon sends 60 alarms within 72 s to a channel that accepts one message a second and reports this limit', () =>
      paced(1000));
    it('the daemon sends 60 alarms within 72 s to a channel that accepts one message a second and does not report this limit', () =>
      paced(null));
  }

  it('the daemon retries failed and given-up messages as soon as the channel works again', async () => {
    let works = false;
    world.answer = ({ what }) => (works || what === 'alarm c' ? arrived : what === 'alarm a' ? refused : failing);
    await openTestAlert(world.store, 'a', { channel: 1, at: world.clock.now() });
    await openTestAlert(world.store, 'b', { channel: 1, at: world.clock.now(), monitor: 2 });
    await start();
    await until(async () => (await alerts())[0]!.delivery_status === 'failed', 500);
    await until(
      async () => (await delivery(world.attempts.find(({ what }) => what === 'alarm b')!.id))!.attempts >= 7,
      500,
    );
    works = true;
    const healed = world.clock.now();
    await openTestAlert(world.store, 'c', { channel: 1, at: healed, monitor: 3 });
    await settled();
    expect((await alerts()).map((one) => one.delivery_status)).toEqual(['sent', 'sent', 'sent']);
    expect(world.clock.now() - healed).toBeLessThan(10_000);
  });

  it('the daemon does not retry given-up messages of ended outages when the channel works again', async () => {
    world.answer = ({ what }) => (what === 'alarm a' ? refused : arrived);
    await openTestAlert(world.store, 'a', { channel: 1, at: world.clock.now() });
    await start();
    await until(async () => (await alerts())[0]!.delivery_status === 'failed', 1000);
    await world.store.db.updateTable('alert').set({ resolved_at: world.clock.now() }).execute();
    world.answer = () => arrived;
    await openTestAlert(world.store, 'b', { channel: 1, at: world.clock.now(), monitor: 2 });
    await settled();
    await look();
    expect((await alerts()).map((one) => one.delivery_status)).toEqual(['failed', 'sent']);
  });
});
