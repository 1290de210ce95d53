import type { Notice, Sent } from '../channels/index.ts';
import { startClosings } from '../engine/closings.ts';
import { deliveryLeaseMs, startDeliveries } from '../engine/deliveries.ts';
import type { InterruptibleLoop } from '../engine/loop.ts';
import { startReminders } from '../engine/reminders.ts';
import { giveUpDelivery } from '../alerting/deliveries/finish-delivery.ts';
import { reviveChannel } from '../alerting/deliveries/revive-channel.ts';
import type { Notifier } from '../alerting/notifier.ts';
import { createCheckRecording } from './record-check.ts';
import type { Store } from '../store/store.ts';
import { createFakeClock } from './fake-clock.ts';
import type { Asked, Behaviour, DeliveryHistory } from './naive-deliveries.ts';
import { neverCalled } from './never-called.ts';
import { silentLog } from './test-daemon.ts';
import { begunAt as beginning, createWatchedProject, minute } from './watched-project.ts';

/** A stop and a new start of the daemon. If `interrupted` is true, the stop aborts running attempts, as a kill does. */
export interface Restart {
  at: number;
  interrupted: boolean;
}

/** How long a provider takes to answer one request. The rich and the plain form of a message are two requests. */
const formMs = 30;

const answers: Record<Behaviour, { after: number; sent: Sent | null; taken: boolean }> = {
  ok: { after: 30, sent: { ok: true, status: 200, text: 'ok' }, taken: true },
  'refuse rich': { after: 2 * formMs, sent: { ok: true, status: 200, text: 'Sent as plain text.' }, taken: true },
  slow: { after: 3000, sent: { ok: true, status: 200, text: 'ok' }, taken: true },
  redirect: { after: 30, sent: failure(302), taken: false },
  refuse: { after: 30, sent: { ...failure(403), retry: false }, taken: false },
  limit: { after: 30, sent: failure(429), taken: false },
  'limit for 5 s': { after: 30, sent: { ...failure(429), retryAfterMs: 5000 }, taken: false },
  fault: { after: 30, sent: failure(500), taken: false },
  cut: { after: 30, sent: failure(null), taken: true },
  silent: { after: 15_000, sent: failure(null), taken: false },
};

function failure(status: number | null): Sent & { ok: false } {
  return { ok: false, retry: true, retryAfterMs: null, status, text: `It failed with ${status}.` };
}

/** No event of a history is later than this time. Only outages without an end continue. */
export const lastEvent = 120 * minute;
/**
 * At this time, a second monitor of each channel goes down. Most channels work by then, so the alarm of this outage
 * arrives, and with it all other pending messages.
 */
const laterOutageAt = lastEvent + 10 * minute;
const end = laterOutageAt + 150 * minute;

/** Plays histories in parallel, each with its own monitor and channel. Returns the requests to each provider. */
export async function playDeliveries(
  store: Store,
  histories: readonly DeliveryHistory[],
  restarts: readonly Restart[],
): Promise<Asked[][]> {
  const clock = createFakeClock(beginning);
  const elapsed = () => clock.now() - beginning;
  const project = await createWatchedProject(store);
  const record = createCheckRecording(store);
  const asked: Asked[][] = histories.map(() => []);
  const ends = new Set<number>();

  const notifier: Notifier = {
    ...neverCalled,
    async send(channel, id, notice, signal) {
      const [, number = ''] = /^chn_(\d+)$/.exec(channel.id) ?? [];
      const history = histories[Number(number)]!;
      const one: Asked = {
        ...aboutNotice(notice),
        id,
        key: channel.config,
        begunAt: elapsed(),
        claimed: Number.NaN,
        ...behaviourAt(history, elapsed()),
      };
      const claimedAt = claimTime(store, id).then((at) => (one.claimed = at - beginning));
      const { after, sent, taken } = answers[one.behaviour];
      // The messages of the later outage do not belong to the history.
      if (one.since < laterOutageAt) asked[Number(number)]!.push(one);
      return new Promise((resolve, reject) => {
        const over = elapsed() + after;
        let ended = false;
        ends.add(over);
        const finish = (how: Sent, what: Partial<Asked>) => {
          if (ended) return;
          ended = true;
          ends.delete(over);
          Object.assign(one, what);
          claimedAt.then(() => resolve(how), reject);
        };
        clock.after(after, () => finish(sent ?? failure(null), { taken }));
        signal?.addEventListener('abort', () => {
          // With `refuse rich`, the provider refuses the rich form, and the plain form follows. If the attempt was
          // aborted before the plain form was sent, the provider accepted nothing.
          const sentWhole = one.behaviour !== 'refuse rich' || over - elapsed() <= formMs;
          finish(failure(null), { cutOff: true, taken: taken && sentWhole });
        });
      });
    },
  };

  const events: { at: number; do: () => Promise<unknown> }[] = [];
  for (const [number, history] of histories.entries()) {
    const channel = await project.addChannel(String(number), history.type);
    const monitors = [await project.addMonitor(`m${number}`), await project.addMonitor(`p${number}`)] as const;
    const reminder = history.reminds ? 1200 : null;
    await project.addRule(`r${number}`, {
      monitors: [...monitors],
      channels: [channel],
      reminder_interval_seconds: reminder,
    });
    const check = (monitor: number, at: number, code: 'timeout' | null) =>
      events.push({
        at,
        do: () => store.write((trx) => record(trx, project.finished(monitor, at / minute, code)), { durable: false }),
      });
    for (const outage of history.outages) {
      check(monitors[0], outage.start, 'timeout');
      if (outage.end !== null) check(monitors[0], outage.end, null);
    }
    check(monitors[1], laterOutageAt, 'timeout');
    const { newKeyAt, deletedAt } = history;
    if (newKeyAt !== null) events.push({ at: newKeyAt, do: () => changeKey(store, channel, clock.now()) });
    if (deletedAt !== null) events.push({ at: deletedAt, do: () => deleteChannel(store, channel, clock.now()) });
  }

  let running: InterruptibleLoop[] = [];
  const start = async () => {
    const deps = { clock, log: silentLog, random: () => 0.5 };
    running = [await startDeliveries(deps, { store, notifier }), startClosings(deps, { store, notifier })];
    const reminders = startReminders(deps, store);
    running.push({ ...reminders, interrupt: () => undefined });
  };
  const stopAll = async (interrupted: boolean) => {
    const state = { stopped: false };
    const stopping = Promise.all(running.map((one) => one.stop())).then(() => (state.stopped = true));
    if (interrupted) for (const one of running) one.interrupt();
    while (!state.stopped) await clock.advance(20);
    await stopping;
  };
  const restart = async (interrupted: boolean) => {
    await stopAll(interrupted);
    await start();
  };
  for (const { at, interrupted } of restarts) events.push({ at, do: () => restart(interrupted) });
  events.push({ at: end, do: async () => undefined });

  await start();
  for (const event of events.toSorted((a, b) => a.at - b.at)) {
    while (elapsed() < event.at) {
      const next = Math.min(event.at, ...ends, (await nextDue(store, clock.now() - 1)) - beginning);
      clock.jump(Math.max(0, next - elapsed()));
      // Time never moves past the next event, because the model in naive-deliveries.ts knows only the planned time of
      // the event.
      await clock.advance(Math.min(1000, event.at - elapsed()));
    }
    await event.do();
  }
  await stopAll(false);
  return asked;
}

/**
 * Returns when a message was claimed, in epoch milliseconds. NaN for a message that closes an incident and is not a
 * delivery.
 */
async function claimTime(store: Store, id: string): Promise<number> {
  const row = await store.db.selectFrom('delivery').select('lease_until').where('id', '=', id).executeTakeFirst();
  return row === undefined ? Number.NaN : row.lease_until - deliveryLeaseMs;
}

function behaviourAt({ spells }: DeliveryHistory, at: number): Pick<Asked, 'behaviour' | 'taken' | 'cutOff'> {
  let until = 0;
  const spell = spells.find(({ lasts }) => (until += lasts) > at);
  return { behaviour: spell?.behaviour ?? 'ok', taken: false, cutOff: false };
}

const aboutNotice = ({ kind, ended, since }: Notice): Pick<Asked, 'what' | 'since'> => ({
  what: ended ? 'both' : kind === 'test' || kind === 'code' ? 'alarm' : kind,
  since: since - beginning,
});

/**
 * Returns when the next delivery, reminder or closing of an incident is due, in epoch milliseconds. Infinity if nothing
 * is due.
 */
async function nextDue(store: Store, after: number): Promise<number> {
  const { db } = store;
  const pending = await db
    .selectFrom('delivery')
    .leftJoin('channel', 'channel.seq', 'delivery.channel')
    .select(['delivery.channel', 'channel.wait_until', (row) => row.fn.min('delivery.next_at').as('at')])
    .where('delivery.status', '=', 'pending')
    .where('delivery.lease_until', '=', 0)
    .groupBy(['delivery.channel', 'channel.wait_until'])
    .execute();
  const reminder = await db
    .selectFrom('alert')
    .select((row) => row.fn.min('remind_at').as('at'))
    .executeTakeFirst();
  const incident = await db
    .selectFrom('paging_incident')
    .select((row) => row.fn.min('next_at').as('at'))
    .where('next_at', '>', after)
    .executeTakeFirst();
  const times = pending.map(({ at, wait_until }) => Math.max(at ?? Infinity, wait_until ?? 0));
  return Math.min(...times, reminder?.at ?? Infinity, incident?.at ?? Infinity);
}

const changeKey = (store: Store, channel: number, now: number) =>
  store.write(async (trx) => {
    const change = { config: `key of ${now}`, wait_until: 0, limits: 0, last_error: null };
    await trx.updateTable('channel').set(change).where('seq', '=', channel).execute();
    await reviveChannel(trx, channel, { at: now, fresh: true });
  });

const deleteChannel = (store: Store, channel: number, now: number) =>
  store.write(async (trx) => {
    const pending = trx
      .selectFrom('delivery')
      .selectAll()
      .where('channel', '=', channel)
      .where('status', '=', 'pending');
    for (const row of await pending.execute()) await giveUpDelivery(trx, row, { why: 'The channel was deleted.', now });
    await trx.updateTable('alert').set({ remind_at: null }).where('channel', '=', channel).execute();
    await trx.deleteFrom('channel').where('seq', '=', channel).execute();
  });
