/**
 * What a channel is sent about an outage that was over before its alarm could be sent. `each`: every event, with its own
 * time. `combined`: one message that says both. `omit`: nothing.
 */
export type LateAlarms = 'each' | 'combined' | 'omit';

/** What a message of the outbox was queued as. `close` ends an alarm at a paging service without a recovery. */
export type DeliveryKind = 'alarm' | 'reminder' | 'recovery' | 'close';

/** `both`: one message that says that it was so, and that it is over. */
export type MessageForm = DeliveryKind | 'both';

/** A message of the outbox whose turn it is. */
export interface QueuedMessage {
  kind: DeliveryKind;
  /** Its alert is resolved. */
  over: boolean;
  /** An alarm of its alert arrived. */
  told: boolean;
  /** The channel's account has, or may have, an incident open for the alert; null for a channel that opens none. */
  incident: boolean | null;
}

/** Why a message is not sent. `moot`: there never was anything to say, so that it leaves no trace. */
export type Unsent = 'over' | 'untold' | 'moot';

/** What is sent in the place of a queued message, as things are now. */
export function messageForm(
  { kind, over, told, incident }: QueuedMessage,
  late: LateAlarms,
): { form: MessageForm } | { unsent: Unsent } {
  if (kind === 'recovery' || kind === 'close') {
    if (incident === true) return { form: kind };
    if (!told) return { unsent: 'untold' };
    return incident === false || kind === 'close' ? { unsent: 'moot' } : { form: kind };
  }
  // Where no alarm arrived, a reminder is the alarm.
  if (kind === 'alarm' || !told) return alarm(over, late);
  return over && late !== 'each' ? { unsent: 'over' } : { form: kind };
}

function alarm(over: boolean, late: LateAlarms): { form: MessageForm } | { unsent: Unsent } {
  if (!over || late === 'each') return { form: 'alarm' };
  return late === 'combined' ? { form: 'both' } : { unsent: 'over' };
}
