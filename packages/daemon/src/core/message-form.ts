import type { LateAlarms } from '@uptime/sdk/contract';

/** The kind of a message in the outbox. `close` ends an incident at a paging service without a recovery. */
export type DeliveryKind = 'alarm' | 'reminder' | 'recovery' | 'close';

/** The form in which a message is sent. `both`: one message that reports the alarm and the end of the outage. */
export type MessageForm = DeliveryKind | 'both';

/** A message of the outbox that may be sent now. */
export interface QueuedMessage {
  kind: DeliveryKind;
  /** Whether the message's alert is resolved. */
  over: boolean;
  /** Whether an alarm of the message's alert has arrived. */
  notified: boolean;
  /**
   * Whether the alert has, or may have, an open incident at the channel's paging service; null for a channel without
   * incidents.
   */
  incident: boolean | null;
}

/**
 * Why a message is not sent. `over`: the outage has ended. `alarmMissing`: the alarm did not arrive. `moot`: nothing
 * has to be sent, and the message is deleted without a record.
 */
export type Unsent = 'over' | 'alarmMissing' | 'moot';

/** Returns the form in which a queued message is sent now, or why it is not sent. */
export function messageForm(
  { kind, over, notified, incident }: QueuedMessage,
  late: LateAlarms,
): { form: MessageForm } | { unsent: Unsent } {
  if (kind === 'recovery' || kind === 'close') {
    if (incident === true) return { form: kind };
    if (!notified) return { unsent: 'alarmMissing' };
    return incident === false || kind === 'close' ? { unsent: 'moot' } : { form: kind };
  }
  // If no alarm arrived, the reminder becomes the alarm.
  if (kind === 'alarm' || !notified) return alarm(over, late);
  return over && late !== 'each' ? { unsent: 'over' } : { form: kind };
}

function alarm(over: boolean, late: LateAlarms): { form: MessageForm } | { unsent: Unsent } {
  if (!over || late === 'each') return { form: 'alarm' };
  return late === 'combined' ? { form: 'both' } : { unsent: 'over' };
}
