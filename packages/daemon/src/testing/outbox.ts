import type { Insertable } from 'kysely';
import type { Notice, Sent } from '../channels/index.ts';
import { enqueue } from '../alerting/deliveries/enqueue.ts';
import type { Notifier } from '../alerting/notifier.ts';
import type { Store } from '../store/store.ts';
import type { AlertTable, ChannelTable, DeliveryKind } from '../store/tables.ts';
import { neverCalled } from './never-called.ts';

/** A complete channel row; a test sets only what it needs. */
export const channelRow = (id: string, more: Partial<Insertable<ChannelTable>> = {}): Insertable<ChannelTable> => ({
  id,
  project_id: 'prj',
  key: null,
  name: id,
  type: 'slack',
  config: 'sealed',
  last_sent_at: null,
  last_error: null,
  created_at: 0,
  updated_at: 0,
  ...more,
});

/** A complete alert row; a test sets only what it needs. */
export const alertRow = (
  id: string,
  { channel, at, ...more }: { channel: number; at: number } & Partial<Insertable<AlertTable>>,
): Insertable<AlertTable> => ({
  id,
  project_id: 'prj',
  rule: 1,
  rule_id: 'rul',
  rule_name: 'rule',
  monitor: 1,
  monitor_id: 'mon',
  monitor_name: 'monitor',
  channel,
  channel_id: `chn_${channel}`,
  channel_name: 'channel',
  type: 'monitor_down',
  subject: id,
  failing_since: at,
  triggered_at: at,
  resolved_at: null,
  delivery_status: 'pending',
  error: null,
  remind_at: null,
  ...more,
});

/**
 * Opens an alert for a channel, and queues messages of these kinds. Resolves with the `seq` of the alert. The messages
 * of alerts with the same monitor and channel share a lane.
 */
export const openTestAlert = (
  store: Store,
  id: string,
  {
    kinds = ['alarm'],
    durable = true,
    ...alert
  }: { kinds?: DeliveryKind[]; durable?: boolean } & Parameters<typeof alertRow>[1],
): Promise<number> =>
  store.write(
    async (trx) => {
      const row = alertRow(id, alert);
      const { seq } = await trx.insertInto('alert').values(row).returning('seq').executeTakeFirstOrThrow();
      const messages = kinds.map((kind) => ({ alert: { ...row, seq }, notice: noticeOf(id, kind, alert.at) }));
      await enqueue(trx, messages, alert.at);
      return seq;
    },
    { durable },
  );

export const noticeOf = <K extends DeliveryKind>(alert: string, kind: K, at: number): Notice & { kind: K } => ({
  kind,
  event: kind === 'recovery' ? 'monitor_up' : 'monitor_down',
  alert,
  rule: 'rule',
  monitor: { id: 'mon', name: 'monitor', url: 'https://example.com/' },
  at,
  since: at,
  error: null,
  details: { statusCode: 0, responseTime: 0, region: '' },
});

/** One attempt that a recording notifier received. */
export interface Attempt {
  channel: string;
  id: string;
  /** The kind of the message and the id of its alert, such as `alarm alr_1`. */
  what: string;
}

export const arrived: Sent = { ok: true, status: 200, text: 'ok' };
export const refused: Sent = {
  ok: false,
  retry: false,
  retryAfterMs: null,
  status: 404,
  text: 'HTTP 404 no such hook',
};
export const failing: Sent = { ok: false, retry: true, retryAfterMs: null, status: 500, text: 'HTTP 500 broken' };

/**
 * Creates a notifier that records the messages and sends nothing. `answer` decides how an attempt ends; its promise may
 * never resolve.
 */
export function createRecordingNotifier(answer: (attempt: Attempt) => Sent | Promise<Sent> = () => arrived): {
  notifier: Notifier;
  attempts: Attempt[];
} {
  const attempts: Attempt[] = [];
  const notifier: Notifier = {
    ...neverCalled,
    async send(channel, id, notice, signal) {
      const attempt = { channel: channel.id, id, what: `${notice.kind} ${notice.alert}` };
      attempts.push(attempt);
      const aborted = new Promise<Sent>((resolve) => {
        signal?.addEventListener('abort', () => resolve({ ...failing, status: null, text: 'aborted' }));
      });
      return Promise.race([answer(attempt), aborted]);
    },
  };
  return { notifier, attempts };
}
