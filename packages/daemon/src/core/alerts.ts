import type { MonitorStatus, Trigger } from '@uptime/sdk/contract';
import { domainOf, isAboutDomain, isNotified } from './is-notified.ts';

/** A fault that alerts report: an outage, or a fault of a certificate or a domain. */
export interface Fault {
  trigger: Trigger;
  /** Identifies the fault: the outage's id, the certificate's fingerprint, or the domain with its expiry date. */
  subject: string;
  /** Whether the fault may open an alert. If not, the fault only keeps an open alert from being resolved. */
  fires: boolean;
}

/** The known facts about one monitor at one time. */
export interface Facts {
  at: number;
  status: MonitorStatus;
  /** When the status began. */
  since: number;
  /** Number of failed check rounds in a row. */
  failures: number;
  /** The id of the open outage. */
  outage: string | null;
  /**
   * Whether the outage is confirmed now: a round has just failed, or the monitor is a heartbeat whose silence
   * continues. An alarm may be sent only then.
   */
  seenFailing: boolean;
  /** Faults of the certificate and the domain. */
  expiry: readonly Fault[];
  /**
   * Triggers about which nothing is known now. For example, no certificate is known after an edit of the address.
   * Alerts with these triggers stay as they are.
   */
  unseen?: readonly Trigger[];
  /** The monitor's registrable domain; null for none. */
  domain?: string | null;
  /** Whether a maintenance window is in force at the time `at`. */
  maintenance: boolean;
  /**
   * Whether a maintenance window is still open. Its end will lead to another review.
   *
   * If this is false although `maintenance` is true, the facts are from a window that has already ended. No other
   * review follows, so recoveries are sent at once.
   */
  windowOpen: boolean;
}

/** A rule that watches the monitor: only the fields that alerts depend on. */
export interface WatchingRule {
  rule: number;
  trigger: Trigger;
  consecutiveFailures: number;
  enabled: boolean;
  /**
   * Whether a rule about outages also reports certificates and domains. It does not report a trigger if an enabled rule
   * with that trigger watches the monitor.
   */
  expiryAlerts: boolean;
  /** Time between reminders; null for none. */
  reminderIntervalMs: number | null;
  channels: readonly number[];
}

/** An alert that a review has to know: an open alert, or a resolved alert whose fault still exists. */
export interface KnownAlert {
  id: string;
  rule: number;
  channel: number;
  trigger: Trigger;
  subject: string;
  open: boolean;
  /**
   * Whether the alert ended because its rule stopped watching the monitor, or because its monitor was deleted. True
   * only for a paging service, because its incident was closed then. If a rule reports the fault to this channel again,
   * the alert opens again, and the channel gets the alarm again.
   */
  reopens?: boolean;
  /** Whether the alert is about this monitor's domain, but belongs to another monitor of that domain. */
  elsewhere?: boolean;
}

/**
 * Another monitor to which an open alert about a domain can move. That monitor is on the same domain, and has a rule
 * that reports the fault to the channel of the alert.
 */
export interface Successor {
  /** The id of the alert that can move to `monitor`. */
  alert: string;
  monitor: number;
  rule: number;
}

export type ResolveReason = 'recovered' | 'paused' | 'deleted' | 'unwatched';

/** The changes that bring alerts in line with the facts. */
export interface Review {
  /**
   * Alerts that open. `again`: the id of a resolved alert that opens again, in place of a new alert. See
   * `KnownAlert.reopens`.
   */
  fire: { rule: number; channel: number; trigger: Trigger; subject: string; again?: string }[];
  /** Alerts that resolve. `at`: when the fault ended, or when the monitor was paused or no longer watched. */
  resolve: { alert: string; at: number; reason: ResolveReason }[];
  /**
   * Alerts that stayed open through a maintenance window in which one outage ended and another began. `subject` is the
   * id of the new outage.
   */
  carryOver: { alert: string; subject: string }[];
  /** Open alerts that continue under another rule or at another monitor. No message is sent. */
  move: { alert: string; rule: number; monitor?: number }[];
}

/**
 * Compares the facts with the alerts of each channel, and returns the changes that are needed. If facts and alerts
 * agree, it returns no changes. So you may call this function whenever a check, an edit or the end of a window could
 * have changed something.
 *
 * While a maintenance window is in force, no alert opens, and no recovery is sent. A channel that got an alarm before
 * the window keeps its alert, whether the monitor is up or down inside the window. If the rule of an alert stops
 * watching the monitor, the alert resolves at once and without a recovery. A pause does the same to an alert about an
 * outage.
 *
 * Each channel gets one alert for a certificate or a domain, even if several rules report it. Such an alert does not
 * always resolve when its rule stops watching the monitor: it continues under another rule that reports to the channel,
 * if there is one. An alert about a domain may also continue at another monitor of that domain: see `findSuccessors`.
 */
export function review(
  facts: Facts,
  rules: readonly WatchingRule[],
  alerts: readonly KnownAlert[],
  successors: readonly Successor[] = [],
): Review {
  const faults = currentFaults(facts);
  const found: Review = { fire: [], resolve: [], carryOver: [], move: [] };

  for (const alert of alerts.filter(({ open, elsewhere }) => open && !elsewhere)) {
    const watched = rules.some((rule) => rule.rule === alert.rule && isNotified(rule, alert.trigger, rules));
    const over = endOf(alert, facts, faults);
    const end = watched ? over : { at: facts.at, reason: 'unwatched' as const };
    const next = watched || over ? undefined : successor(alert, rules);
    const successorAlert = successors.find((one) => one.alert === alert.id);
    if (successorAlert) found.move.push(successorAlert);
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
      if (!fault.fires || !isNotified(rule, fault.trigger, rules)) continue;
      if (fault.trigger === 'monitor_down' && facts.failures < rule.consecutiveFailures) continue;
      for (const channel of rule.channels) {
        const { trigger, subject } = fault;
        const fired = { rule: rule.rule, channel, trigger, subject };
        const covering = alerts.filter((alert) => covers(alert, fired, resolved));
        if (trigger !== 'monitor_down' && found.fire.some((one) => isSame(one, fired))) continue;
        if (covering.length === 0) found.fire.push(fired);
        else if (covering.every(({ open }) => !open)) {
          const again = covering.find(({ reopens }) => reopens);
          if (again) found.fire.push({ ...fired, again: again.id });
        }
      }
    }
  }
  return found;
}

/**
 * Returns the open alerts about the monitor's domain that cannot stay at this monitor, because the monitor is paused or
 * `review` would resolve them. If another monitor of the domain can take over an alert, call `review` again with that
 * successor.
 */
export const findSuccessors = (
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

/**
 * Returns the rule under which an alert about a certificate or a domain continues when the rule of the alert no longer
 * watches the monitor. Returns undefined if there is no such rule.
 */
export const successor = (
  alert: Pick<KnownAlert, 'trigger' | 'channel'>,
  rules: readonly WatchingRule[],
): WatchingRule | undefined =>
  alert.trigger === 'monitor_down'
    ? undefined
    : rules.find(
        (rule) => rule.enabled && rule.channels.includes(alert.channel) && isNotified(rule, alert.trigger, rules),
      );

/**
 * If a reminder about an open alert is due, returns when the next reminder will be due. Returns null if no reminder is
 * sent now. Several overdue reminders are sent as one. Disabled rules send no reminder, and a channel that was removed
 * from the rule gets no reminder.
 */
export function remind(
  alert: { channel: number; remindAt: number | null },
  rule: WatchingRule,
  { at, maintenance }: Pick<Facts, 'at' | 'maintenance'>,
): number | null {
  if (alert.remindAt === null || at < alert.remindAt || maintenance) return null;
  if (rule.reminderIntervalMs === null || !rule.enabled || !rule.channels.includes(alert.channel)) return null;
  return at + rule.reminderIntervalMs;
}

type Fired = Pick<Review['fire'][number], 'rule' | 'channel' | 'trigger' | 'subject'>;

const isSame = (one: Omit<Fired, 'rule'>, other: Omit<Fired, 'rule'>) =>
  one.channel === other.channel && one.trigger === other.trigger && one.subject === other.subject;

/**
 * Whether an alert keeps its channel from getting another alert about the fault in `fired`. For an outage, only an
 * alert of the same rule counts. For any other fault, an alert of any rule counts.
 */
function covers(alert: KnownAlert, fired: Fired, resolved: ReadonlySet<string>): boolean {
  if (fired.trigger !== 'monitor_down') return isSame(alert, fired);
  if (alert.rule !== fired.rule || alert.channel !== fired.channel || alert.trigger !== fired.trigger) return false;
  return alert.subject === fired.subject || (alert.open && !resolved.has(alert.id));
}

/** Returns all faults that the monitor has now. */
function currentFaults(facts: Facts): Fault[] {
  const outage: Fault[] =
    facts.status === 'down' && facts.outage !== null
      ? [{ trigger: 'monitor_down', subject: facts.outage, fires: facts.seenFailing }]
      : [];
  return [...outage, ...facts.expiry];
}

/** Returns when and why an open alert ends; null while it stays open. */
function endOf(
  alert: KnownAlert,
  facts: Facts,
  faults: readonly Fault[],
): { at: number; reason: ResolveReason } | null {
  if (alert.trigger !== 'monitor_down') {
    const persists = faults.some(({ trigger, subject }) => trigger === alert.trigger && subject === alert.subject);
    if (persists) return null;
    const left = facts.domain !== undefined && isAboutDomain(alert.trigger) && domainOf(alert.subject) !== facts.domain;
    if (left) return { at: facts.at, reason: 'unwatched' };
    return facts.windowOpen || facts.unseen?.includes(alert.trigger) ? null : { at: facts.at, reason: 'recovered' };
  }
  if (facts.status === 'down') return null;
  if (facts.status === 'up') return facts.windowOpen ? null : { at: facts.since, reason: 'recovered' };
  return { at: facts.since, reason: 'paused' };
}
