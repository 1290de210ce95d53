import type { MonitorStatus, Trigger } from '@uptime/sdk/contract';

/** A fault that can be told of: an outage, or something about a certificate or a domain. */
export interface Fault {
  trigger: Trigger;
  /** What makes it one fault: the outage's id, the certificate's fingerprint, the domain's expiry date. */
  subject: string;
  /** It may open an alert; otherwise it only keeps an open one from being resolved. */
  fires: boolean;
}

/** What is known of one monitor at one instant. Times are epoch milliseconds. */
export interface Facts {
  at: number;
  status: MonitorStatus;
  /** When the status began. */
  since: number;
  /** Failed check rounds in a row. */
  failures: number;
  /** The outage that is open. */
  outage: string | null;
  /** The outage was seen just now: by a failed round, or by a silence, which lasts. */
  seenFailing: boolean;
  /** What is wrong with certificate and domain. */
  expiry: readonly Fault[];
  /** Of what these tell nothing is known now, such as a certificate after the address was edited: their alerts stay as they are. */
  unseen?: readonly Trigger[];
  /** A maintenance window is in force. */
  maintenance: boolean;
  /**
   * Such a window has not been ended yet, so that this is asked again when it is. What a check saw inside a window may
   * be written down after its end: then nobody asks again, and nothing is held back.
   */
  windowOpen: boolean;
}

/** A rule that watches the monitor, as far as its alerts go. */
export interface WatchingRule {
  rule: number;
  trigger: Trigger;
  consecutiveFailures: number;
  enabled: boolean;
  /** Milliseconds between reminders; null for none. */
  reminderInterval: number | null;
  channels: readonly number[];
}

/** An alert of the monitor: an open one, or one that told of a fault that is still there. */
export interface KnownAlert {
  id: string;
  rule: number;
  channel: number;
  trigger: Trigger;
  subject: string;
  open: boolean;
  /** It ended because the rule stopped watching, and its incident was closed: watched again, the channel is told again. */
  reopens?: boolean;
}

export type ResolveReason = 'recovered' | 'paused' | 'deleted' | 'unwatched';

/** What has to be done so that alerts say what is so. */
export interface Review {
  /** `again`: the alert that is opened again in place of a new one, see `KnownAlert.reopens`. */
  fire: { rule: number; channel: number; trigger: Trigger; subject: string; again?: string }[];
  /** `at`: when the fault really ended. */
  resolve: { alert: string; at: number; reason: ResolveReason }[];
  /** Alerts that were open through a maintenance window, in which one outage ended and another began. */
  carryOver: { alert: string; subject: string }[];
}

/**
 * Compares what is so with what each channel was told. Asked again with nothing changed, it answers nothing; so it
 * may be asked whenever something could have changed, by a check, an edit, or a window that ended.
 *
 * While a maintenance window is in force no alert opens and no recovery is told; whoever was told of an outage before
 * it stays told, whatever happens inside. That a person paused the monitor, or that no rule watches it, resolves at
 * once: nobody is told of that.
 */
export function review(facts: Facts, rules: readonly WatchingRule[], alerts: readonly KnownAlert[]): Review {
  const faults = standing(facts);
  const found: Review = { fire: [], resolve: [], carryOver: [] };

  for (const alert of alerts.filter(({ open }) => open)) {
    const watched = rules.some(({ rule, trigger }) => rule === alert.rule && trigger === alert.trigger);
    const end = watched ? endOf(alert, facts, faults) : { at: facts.at, reason: 'unwatched' as const };
    if (end) found.resolve.push({ alert: alert.id, ...end });
    else if (alert.trigger === 'monitor_down' && facts.outage !== null && facts.outage !== alert.subject)
      found.carryOver.push({ alert: alert.id, subject: facts.outage });
  }
  if (facts.maintenance || facts.status === 'paused') return found;

  const resolved = new Set(found.resolve.map(({ alert }) => alert));
  for (const rule of rules) {
    if (!rule.enabled) continue;
    for (const fault of faults) {
      if (fault.trigger !== rule.trigger || !fault.fires) continue;
      if (fault.trigger === 'monitor_down' && facts.failures < rule.consecutiveFailures) continue;
      for (const channel of rule.channels) {
        const told = alerts.find(
          (alert) =>
            alert.rule === rule.rule &&
            alert.channel === channel &&
            alert.trigger === fault.trigger &&
            (alert.subject === fault.subject ||
              (fault.trigger === 'monitor_down' && alert.open && !resolved.has(alert.id))),
        );
        const { trigger, subject } = fault;
        const fired = { rule: rule.rule, channel, trigger, subject };
        if (!told) found.fire.push(fired);
        else if (told.reopens && !told.open) found.fire.push({ ...fired, again: told.id });
      }
    }
  }
  return found;
}

/**
 * Whether an open alert is told of again now: answers when it is due after that, or null where nothing is sent. One
 * reminder, however long it has been due; none by a disabled rule, nor to a channel that the rule no longer has.
 */
export function remind(
  alert: { channel: number; remindAt: number | null },
  rule: WatchingRule,
  { at, maintenance }: Pick<Facts, 'at' | 'maintenance'>,
): number | null {
  if (alert.remindAt === null || at < alert.remindAt || maintenance) return null;
  if (rule.reminderInterval === null || !rule.enabled || !rule.channels.includes(alert.channel)) return null;
  return at + rule.reminderInterval;
}

/** Everything that is wrong with the monitor now. */
function standing(facts: Facts): Fault[] {
  const outage: Fault[] =
    facts.status === 'down' && facts.outage !== null
      ? [{ trigger: 'monitor_down', subject: facts.outage, fires: facts.seenFailing }]
      : [];
  return [...outage, ...facts.expiry];
}

/** When and why an open alert is over; null while it is not. */
function endOf(
  alert: KnownAlert,
  facts: Facts,
  faults: readonly Fault[],
): { at: number; reason: ResolveReason } | null {
  if (alert.trigger !== 'monitor_down') {
    const stands = faults.some(({ trigger, subject }) => trigger === alert.trigger && subject === alert.subject);
    return stands || facts.windowOpen || facts.unseen?.includes(alert.trigger)
      ? null
      : { at: facts.at, reason: 'recovered' };
  }
  if (facts.status === 'down') return null;
  if (facts.status === 'up') return facts.windowOpen ? null : { at: facts.since, reason: 'recovered' };
  return { at: facts.since, reason: 'paused' };
}
