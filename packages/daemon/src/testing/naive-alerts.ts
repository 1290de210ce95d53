/**
 * A second model of alarms and recoveries, written only from docs/alerting.md. It is slow on purpose: it computes
 * everything from the whole history. Tests compare its messages with those of core/alerts.ts.
 */

/** The channel that is a paging service. */
export const pagingChannel = 'pager';

/**
 * An event of a history. `look`: the engine decides whether the heartbeat has been silent for too long. `tick`: the
 * engine reviews the alerts of all monitors.
 */
export type Happening = { at: number } & (
  | { do: 'check'; monitor: string; region: number; failed: boolean }
  | { do: 'ping' | 'fail' | 'look' | 'pause' | 'resume' | 'retarget' | 'rename' | 'delete'; monitor: string }
  | { do: 'rule'; rule: string; to: NaiveRule | null }
  | { do: 'window'; window: string; to: NaiveWindow }
  | { do: 'tick' | 'restart' }
  /**
   * `expired` names the expired object: the certificate of a monitor, or the registration of the domain that all
   * monitors except heartbeats share. Null if this object has not expired.
   */
  | { do: 'certificate'; monitor: string; expired: string | null }
  | { do: 'domain'; expired: string | null }
  /** `leave`: an edit moves the monitor to another domain, which has not expired. `return`: an edit moves it back. */
  | { do: 'leave' | 'return'; monitor: string }
);

export interface NaiveRule {
  trigger: 'monitor_down' | 'ssl_expired' | 'domain_expired';
  failures: number;
  enabled: boolean;
  notifyOnRecovery: boolean;
  remindEveryMs: number | null;
  expiryAlerts: boolean;
  monitors: string[];
  channels: string[];
}

export interface NaiveWindow {
  monitors: string[];
  start: number;
  end: number;
  resolvedAt: number | null;
}

export interface NaiveMonitor {
  name: string;
  /** Number of regions that check the monitor; 0 for a heartbeat. */
  regions: number;
  /** A heartbeat's interval and grace period together. */
  allowedSilenceMs: number;
}

/** One message to a channel. When an alert ends, there is an `end` even if the rule sends no recovery. */
export interface SentMessage {
  /** The event that caused the message: its index in the history. */
  step: number;
  at: number;
  what: 'alarm' | 'reminder' | 'end';
  rule: string;
  monitor: string;
  channel: string;
  /** For an end: when the alert counts as resolved, and why. */
  resolvedAt?: number;
  why?: 'recovered' | 'paused' | 'deleted' | 'unwatched';
  /** For an end: whether a recovery is sent. */
  recovery?: boolean;
  /** For a message about an expired object: that object. */
  about?: string;
}

/** Returns all messages that the channels must get during a history. */
export function expectedMessages(monitors: readonly NaiveMonitor[], history: readonly Happening[]): SentMessage[] {
  const messages: SentMessage[] = [];
  const rounds = new Map(monitors.map((monitor) => [monitor, 0]));
  for (const [step, { at }] of history.entries()) {
    const past = history.slice(0, step + 1);
    const pairs = everPaired(past);
    for (const monitor of monitors) {
      const life = lifeOf(past, monitor);
      const seenNow = monitor.regions === 0 || life.failedRounds > (rounds.get(monitor) ?? 0);
      rounds.set(monitor, life.failedRounds);
      const held = inWindow(past, monitor.name, at);
      for (const pair of pairs) tell(messages, past, { step, at, monitor, life, seenNow, held }, pair);
    }
  }
  return messages;
}

/** The state of a monitor after a step of the history. */
interface Now {
  step: number;
  at: number;
  monitor: NaiveMonitor;
  life: Life;
  /** Whether this step confirms an outage: one more round has failed, or the monitor is a heartbeat. */
  seenNow: boolean;
  /** Whether a maintenance window holds back messages about the monitor. */
  held: boolean;
}

/** A rule and a channel. */
type Pair = readonly [string, string];

function tell(messages: SentMessage[], past: readonly Happening[], now: Now, [rule, channel]: Pair): void {
  const { step, at, monitor, life, held } = now;
  const subject = { step, at, rule, channel, monitor: monitor.name };
  const before = messages.filter((one) => one.rule === rule && one.channel === channel && one.monitor === monitor.name);
  const last = before.at(-1);
  const terms = ruleIn(past, rule);
  const watches = terms?.trigger === 'monitor_down' && terms.monitors.includes(monitor.name);
  const end = (why: SentMessage['why'], resolvedAt: number, recovery: boolean) =>
    void messages.push({ ...subject, what: 'end', why, resolvedAt, recovery });

  if (last && last.what !== 'end') {
    if (life.status === 'deleted') return end('deleted', at, false);
    if (!watches) return end('unwatched', at, false);
    if (life.status === 'paused' || life.status === 'pending') return end('paused', life.since, false);
    if (held) return;
    if (life.status === 'up') return end('recovered', life.since, terms.notifyOnRecovery);
    const reminds = terms.remindEveryMs !== null && terms.enabled && terms.channels.includes(channel);
    if (reminds && at >= last.at + (terms.remindEveryMs ?? 0)) messages.push({ ...subject, what: 'reminder' });
    return;
  }
  if (life.status !== 'down' || !watches || !terms.enabled || !terms.channels.includes(channel) || held) return;
  // The alarm was already sent in this outage. It is sent again only to reopen an incident that was closed because no
  // rule watched the monitor.
  if (last && last.step >= life.sinceStep && !(channel === pagingChannel && last.why === 'unwatched')) return;
  const enough = monitor.regions === 0 || life.failedRounds >= terms.failures;
  if (now.seenNow && enough) messages.push({ ...subject, what: 'alarm' });
}

interface Life {
  status: 'pending' | 'up' | 'down' | 'paused' | 'deleted';
  /** When this status began, and the index of the event that began it. */
  since: number;
  sinceStep: number;
  /** Failed rounds of checks since the monitor was last up, or was edited. */
  failedRounds: number;
}

export function lifeOf(past: readonly Happening[], monitor: NaiveMonitor): Life {
  const life: Life = { status: 'pending', since: 0, sinceStep: 0, failedRounds: 0 };
  const latest = new Map<number, boolean>();
  /** Regions that have reported in the open round. */
  const reported = new Set<number>();
  /** Regions whose next report still belongs to the previous round, which was decided without them. */
  const owing = new Set<number>();
  let waitingSince = 0;
  let step = 0;
  const become = (status: Life['status'], at: number) => {
    if (life.status !== status) Object.assign(life, { status, since: at, sinceStep: step });
  };
  const anew = (at: number) => {
    latest.clear();
    reported.clear();
    owing.clear();
    life.failedRounds = 0;
    waitingSince = at;
  };
  for (const [place, one] of past.entries()) {
    step = place;
    if (!('monitor' in one) || one.monitor !== monitor.name || life.status === 'deleted') continue;
    if (one.do === 'delete') become('deleted', one.at);
    if (one.do === 'pause' && life.status !== 'paused') {
      anew(one.at);
      become('paused', one.at);
    }
    if (one.do === 'resume' && life.status === 'paused') {
      anew(one.at);
      become('pending', one.at);
    }
    if (life.status === 'paused') continue;
    if (one.do === 'retarget') anew(one.at);
    if (one.do === 'fail') become('down', one.at);
    if (one.do === 'ping') {
      waitingSince = one.at;
      become('up', one.at);
    }
    if (one.do === 'look' && one.at >= waitingSince + monitor.allowedSilenceMs) become('down', one.at);
    if (one.do !== 'check') continue;
    latest.set(one.region, !one.failed);
    const failing = new Set([...latest].filter(([, passed]) => !passed).map(([region]) => region));
    if ((latest.size - failing.size) * 2 > monitor.regions) {
      become('up', one.at);
      life.failedRounds = 0;
      continue;
    }
    // The first round of an outage includes the regions that fail when the monitor goes down. Each later round includes
    // the regions that reported in it.
    const begins = life.status !== 'down' && failing.size * 2 > monitor.regions;
    if (begins) {
      become('down', one.at);
      reported.clear();
      for (const region of failing) reported.add(region);
    } else if (life.status === 'down') {
      if (!owing.delete(one.region)) reported.add(one.region);
    } else continue;
    const failed = [...reported].filter((region) => failing.has(region)).length * 2 > monitor.regions;
    if (!failed && reported.size < monitor.regions) continue;
    if (failed) life.failedRounds++;
    owing.clear();
    for (let region = 1; region <= monitor.regions; region++) if (!reported.has(region)) owing.add(region);
    reported.clear();
  }
  return life;
}

export function ruleIn(past: readonly Happening[], rule: string): NaiveRule | null {
  const last = past.findLast((one) => one.do === 'rule' && one.rule === rule);
  return last?.do === 'rule' ? last.to : null;
}

function everPaired(past: readonly Happening[]): Pair[] {
  const pairs = past.flatMap((one) =>
    one.do === 'rule' ? (one.to?.channels ?? []).map((channel) => `${one.rule} ${channel}`) : [],
  );
  return [...new Set(pairs)].map((pair) => pair.split(' ') as unknown as Pair);
}

export function inWindow(past: readonly Happening[], monitor: string, at: number): boolean {
  const windows = new Map<string, NaiveWindow>();
  for (const one of past) if (one.do === 'window') windows.set(one.window, one.to);
  return [...windows.values()].some(
    ({ monitors, start, end, resolvedAt }) =>
      monitors.includes(monitor) && start <= at && at < end && (resolvedAt === null || at < resolvedAt),
  );
}
