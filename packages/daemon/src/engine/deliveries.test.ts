import { describe, expect, it } from 'vitest';
import type { Sent } from '../channels/index.ts';
import { countOverdue } from './deliveries.ts';
import { databases } from '../testing/databases.ts';
import { arrived, failing, openTestAlert } from '../testing/outbox.ts';
import { createDeliveriesWorld } from '../testing/deliveries-world.ts';

const hour = 3_600_000;

describe.each(databases)('deliveries on $name', ({ name, open }) => {
  const world = createDeliveriesWorld({ open });

  const { start, until, delivery, unfinished, settled, look, what, alerts, channel, logged } = world;

  it('the daemon sends a message once, and records that it arrived', async () => {
    await openTestAlert(world.store, 'a', { channel: 1, at: world.clock.now() });
    await start();
    await settled();
    await look();
    expect(world.attempts).toEqual([{ channel: 'chn_1', id: expect.stringMatching(/^dlv_/), what: 'alarm a' }]);
    expect(await alerts()).toEqual([{ id: 'a', delivery_status: 'sent', error: null }]);
    expect(await channel('chn_1')).toMatchObject({ last_sent_at: expect.any(Number), last_error: null });
    expect(await logged()).toEqual([{ status: 200, text: 'ok' }]);
    expect(await delivery(world.attempts[0]!.id)).toMatchObject({
      status: 'sent',
      attempts: 1,
      next_at: null,
      finished_at: expect.any(Number),
    });
  });

  it('the daemon sends the messages of a lane in order, without waiting for other lanes', async () => {
    world.answer = ({ what }) =>
      what === 'alarm a' && world.attempts.filter((one) => one.what === what).length < 3 ? failing : arrived;
    await openTestAlert(world.store, 'a', {
      channel: 1,
      at: world.clock.now(),
      kinds: ['alarm', 'reminder', 'recovery'],
    });
    await openTestAlert(world.store, 'b', { channel: 1, at: world.clock.now(), kinds: ['alarm', 'recovery'] });
    await openTestAlert(world.store, 'c', {
      channel: 1,
      at: world.clock.now(),
      monitor: 2,
      kinds: ['alarm', 'recovery'],
    });
    await start();
    await settled();
    const lane = what().filter((one) => !one.endsWith('c'));
    expect(lane).toEqual(['alarm a', 'alarm a', 'alarm a', 'reminder a', 'recovery a', 'alarm b', 'recovery b']);
    expect(what().indexOf('recovery c')).toBeLessThan(what().indexOf('reminder a'));
    // A message keeps its id through all attempts.
    expect(new Set(world.attempts.map((one) => one.id)).size).toBe(7);
  });

  it('the daemon gives a hanging channel at most four slots, so that no other channel is delayed', async () => {
    const hung = Promise.withResolvers<Sent>();
    world.answer = ({ channel }) => (channel === 'chn_1' ? hung.promise : arrived);
    for (let monitor = 1; monitor <= 30; monitor++) {
      await openTestAlert(world.store, `h${monitor}`, { channel: 1, at: world.clock.now(), monitor });
      await openTestAlert(world.store, `g${monitor}`, { channel: 2, at: world.clock.now(), monitor });
    }
    await start();
    await until(async () => (await unfinished()) === 30);
    expect(world.attempts.filter(({ channel }) => channel === 'chn_1')).toHaveLength(4);
    expect(world.attempts.filter(({ channel }) => channel === 'chn_2')).toHaveLength(30);
    hung.resolve(arrived);
    await settled();
    expect(new Set(world.attempts.map(({ id }) => id)).size).toBe(60);
    expect(world.attempts).toHaveLength(60);
  });

  it('the daemon delays messages about a monitor in a maintenance window until the window ends', async () => {
    const now = world.clock.now();
    await world.store.db
      .insertInto('monitor')
      .values({
        id: 'mon_1',
        project_id: 'prj',
        key: null,
        name: 'm',
        type: 'http',
        config: '{"url":"http://localhost/"}',
        generation: 1,
        token: null,
        created_at: 0,
        updated_at: 0,
      })
      .execute();
    await world.store.db
      .insertInto('incident')
      .values({
        id: 'inc',
        project_id: 'prj',
        title: 'w',
        status: 'identified',
        maintenance: 1,
        scheduled_start: now - hour,
        scheduled_end: now + hour,
        started_at: now,
        resolved_at: null,
        created_at: now,
        updated_at: now,
      })
      .execute();
    await world.store.db.insertInto('incident_monitor').values({ incident: 1, monitor: 1, position: 0 }).execute();
    await openTestAlert(world.store, 'a', { channel: 1, at: now });
    await openTestAlert(world.store, 'b', { channel: 1, at: now, monitor: 2 });
    await start();
    await until(async () => (await unfinished()) === 1);
    await look();
    expect(what()).toEqual(['alarm b']);
    const held = () =>
      world.store.db.selectFrom('delivery').select('next_at').where('status', '=', 'pending').execute();
    await until(async () => (await held())[0]?.next_at === now + hour);
    world.clock.jump(hour);
    await settled();
    expect(what()).toEqual(['alarm b', 'alarm a']);
  });

  it('the daemon reports messages to a deleted channel as failed, with the deletion as the reason', async () => {
    await openTestAlert(world.store, 'a', { channel: 2, at: world.clock.now(), kinds: ['alarm', 'recovery'] });
    await openTestAlert(world.store, 'b', { channel: 1, at: world.clock.now() });
    await world.store.db.deleteFrom('channel').where('id', '=', 'chn_2').execute();
    await start();
    await settled();
    expect(what()).toEqual(['alarm b']);
    expect(await alerts()).toEqual([
      { id: 'a', delivery_status: 'failed', error: 'The channel was deleted.' },
      { id: 'b', delivery_status: 'sent', error: null },
    ]);
  });

  it('the daemon reports how many channels have overdue messages', async () => {
    world.answer = () => new Promise(() => {});
    await start();
    for (let monitor = 1; monitor <= 6; monitor++)
      await openTestAlert(world.store, `a${monitor}`, { channel: 1, at: world.clock.now(), monitor });
    await until(() => world.attempts.length === 4);
    const overdue = () => countOverdue(world.store, world.clock.now());
    expect(await overdue()).toBe(0);
    await until(async () => (await overdue()) === 1, 1000);
  });

  it('the daemon sends every message once when messages are queued and sent at the same time', async () => {
    await start();
    let number = 0;
    const writers = Array.from({ length: 6 }, async (_, writer) => {
      // The daemon queues some messages in durable transactions, and others in transactions that are not durable. So
      // half of these writers use each kind.
      const alert = { channel: 1 + (writer % 2), monitor: writer % 3, durable: writer < 3 };
      for (let count = 0; count < 15; count++)
        await openTestAlert(world.store, `a${number++}`, { ...alert, at: world.clock.now() });
    });
    const written = Promise.all(writers);
    await until(written.then(() => true));
    await settled();
    expect(world.attempts).toHaveLength(90);
    expect(new Set(world.attempts.map(({ id }) => id)).size).toBe(90);
  });

  const shared = async () => {
    for (let monitor = 0; monitor < 20; monitor++)
      await openTestAlert(world.store, `a${monitor}`, {
        channel: 1 + (monitor % 2),
        at: world.clock.now(),
        monitor,
        kinds: ['alarm', 'recovery'],
      });
    await start();
    await start(await world.database.openAnother());
    await start(await world.database.openAnother());
    await settled();
    expect(world.attempts).toHaveLength(40);
    expect(new Set(world.attempts.map(({ id }) => id)).size).toBe(40);
    for (let monitor = 0; monitor < 20; monitor++)
      expect(what().indexOf(`alarm a${monitor}`)).toBeLessThan(what().indexOf(`recovery a${monitor}`));
  };

  if (name === 'postgres')
    it('several daemons together send each message only once, and the messages of a lane in order', shared);
});
