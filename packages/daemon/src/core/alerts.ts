import type { MonitorStatus, Trigger } from '@uptime/sdk/contract';
import { domainOf, isAboutDomain, tellsOf } from './tells-of.ts';

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
  /** The registrable domain it is on; null for none. */
  domain?: string | null;
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
  /** A rule about outages also tells of certificates and domains that no enabled rule of their own watches. */
  expiryAlerts: boolean;
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
  /** It is about the domain of this monitor, and another monitor of that domain has it. */
  elsewhere?: boolean;
}

/** Another monitor of the same domain, and a rule there, that would tell the same channel of the same fault. */
export interface Heir {
  /** The id of the alert that could move there. */
  alert: string;
  monitor: number;
  rule: number;
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
  /** Open alerts that go on under another rule, or at another monitor; nobody is told. */
  move: { alert: string; rule: number; monitor?: number }[];
}

/**
 * Compares what is so with what each channel was told. Asked again with nothing changed, it answers nothing; so it
 * may be asked whenever something could have changed, by a check, an edit, or a window that ended.
 *
 * While a maintenance window is in force no alert opens and no recovery is told; whoever was told of an outage before
 * it stays told, whatever happens inside. That a person paused the monitor, or that no rule watches it, resolves at
 * once: nobody is told of that.
 *
 * Of a certificate or a domain each channel is told once, whichever rule tells it. An alert whose rule no longer watches
 * goes on under another rule that tells the same channel. One about a domain then goes on at an heir: see `seekHeirs`.
 */
export function review(
  facts: Facts,
  rules: readonly WatchingRule[],
  alerts: readonly KnownAlert[],
  heirs: readonly Heir[] = [],
): Review {
  const faults = standing(facts);
  const found: Review = { fire: [], resolve: [], carryOver: [], move: [] };

  for (const alert of alerts.filter(({ open, elsewhere }) => open && !elsewhere)) {
    const watched = rules.some((rule) => rule.rule === alert.rule && tellsOf(rule, alert.trigger, rules));
    const over = endOf(alert, facts, faults);
    const end = watched ? over : { at: facts.at, reason: 'unwatched' as const };
    const next = watched || over ? undefined : successor(alert, rules);
    const heir = heirs.find((one) => one.alert === alert.id);
    if (heir) found.move.push(heir);
    else if (next) found.move.push({ alert: alert.id, rule: next.rule });
    else if (end) found.resolve.push({ alert: alert.id, ...end });
    else if (alert.trigger === 'monitor_down' && facts.outage !== null && facts.outage !== alert.subject)
      found.carryOver.push({ alert: alert.id, subject: facts.outage });
  }
  if (facts.maintenance || facts.status === 'paused') return found;

  const resolved = new Set(found.resolve.map(({ alert }) => alert));
  for (const rule of rules) {
    if (!rule.enabled) continue;
    for (const fault of faults) {
      if (!fault.fires || !tellsOf(rule, fault.trigger, rules)) continue;
      if (fault.trigger === 'monitor_down' && facts.failures < rule.consecutiveFailures) continue;
      for (const channel of rule.channels) {
        const { trigger, subject } = fault;
        const fired = { rule: rule.rule, channel, trigger, subject };
        const told = alerts.filter((alert) => hasTold(alert, fired, resolved));
        if (trigger !== 'monitor_down' && found.fire.some((one) => isSame(one, fired))) continue;
        if (told.length === 0) found.fire.push(fired);
        else if (told.every(({ open }) => !open)) {
          const again = told.find(({ reopens }) => reopens);
          if (again) found.fire.push({ ...fired, again: again.id });
        }
      }
    }
  }
  return found;
}

/**
 * The open alerts of this monitor for which another monitor of the domain is looked for: about a domain that this one no
 * longer tells of, or while it is paused. Where there is one, `review` is asked again with it.
 */
export const seekHeirs = (
  { status }: Pick<Facts, 'status'>,
  alerts: readonly KnownAlert[],
  { resolve }: Review,
): KnownAlert[] =>
  alerts.filter(
    ({ id, trigger, open, elsewhere }) =>
      open &&
      !elsewhere &&
      isAboutDomain(trigger) &&
      (status === 'paused' || resolve.some(({ alert }) => alert === id)),
  );

/** The rule under which an alert about a certificate or a domain goes on, when its own no longer watches. */
export const successor = (
  alert: Pick<KnownAlert, 'trigger' | 'channel'>,
  rules: readonly WatchingRule[],
): WatchingRule | undefined =>
  alert.trigger === 'monitor_down'
    ? undefined
    : rules.find(
        (rule) => rule.enabled && rule.channels.includes(alert.channel) && tellsOf(rule, alert.trigger, rules),
      );

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

type Fired = Pick<Review['fire'][number], 'rule' | 'channel' | 'trigger' | 'subject'>;

const isSame = (one: Omit<Fired, 'rule'>, other: Omit<Fired, 'rule'>) =>
  one.channel === other.channel && one.trigger === other.trigger && one.subject === other.subject;

/** Whether an alert keeps a channel from being told of a fault: of an outage by the same rule, of all else by any. */
function hasTold(alert: KnownAlert, fired: Fired, resolved: ReadonlySet<string>): boolean {
  if (fired.trigger !== 'monitor_down') return isSame(alert, fired);
  if (alert.rule !== fired.rule || alert.channel !== fired.channel || alert.trigger !== fired.trigger) return false;
  return alert.subject === fired.subject || (alert.open && !resolved.has(alert.id));
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
    if (stands) return null;
    const left = facts.domain !== undefined && isAboutDomain(alert.trigger) && domainOf(alert.subject) !== facts.domain;
    if (left) return { at: facts.at, reason: 'unwatched' };
    return facts.windowOpen || facts.unseen?.includes(alert.trigger) ? null : { at: facts.at, reason: 'recovered' };
  }
  if (facts.status === 'down') return null;
  if (facts.status === 'up') return facts.windowOpen ? null : { at: facts.since, reason: 'recovered' };
  return { at: facts.since, reason: 'paused' };
}
