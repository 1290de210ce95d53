import {
  pagingChannel,
  type Happening,
  inWindow,
  lifeOf,
  type NaiveMonitor,
  type NaiveRule,
  ruleIn,
  type SentMessage,
} from './naive-alerts.ts';

/*
 * A second model of the alerts about certificates and domains, written only from docs/alerting.md. For each fault and
 * each channel, it keeps track of the monitor and the rule to which the alert belongs.
 */

/** A monitor and a rule that watches it. An alert belongs to one such pair. */
interface Place {
  monitor: string;
  rule: string;
}

/** Returns all messages about expired objects that the channels must get. */
export function expectedExpiryMessages(
  monitors: readonly NaiveMonitor[],
  history: readonly Happening[],
  channels: readonly string[],
): SentMessage[] {
  const domains = [...new Set(history.flatMap((one) => (one.do === 'domain' && one.expired ? [one.expired] : [])))];
  const seen = history.flatMap((one) =>
    one.do === 'certificate' && one.expired ? [`${one.monitor} ${one.expired}`] : [],
  );
  const faults = [
    ...domains.map((ends) => ({ on: monitors.filter(({ regions }) => regions > 0), ends, trigger: 'domain_expired' })),
    ...[...new Set(seen)].map((pair) => {
      const [name, ends = ''] = pair.split(' ');
      return { on: monitors.filter((monitor) => monitor.name === name), ends, trigger: 'ssl_expired' };
    }),
  ] as const;
  return channels.flatMap((channel) =>
    faults.flatMap((fault) => follow(history, channel, fault as Parameters<typeof follow>[2])),
  );
}

function follow(
  history: readonly Happening[],
  channel: string,
  fault: { on: readonly NaiveMonitor[]; ends: string; trigger: 'domain_expired' | 'ssl_expired' },
): SentMessage[] {
  const messages: SentMessage[] = [];
  const { trigger, ends } = fault;
  const about = trigger === 'domain_expired' ? `shop.example ${ends}` : ends;
  let place = null as Place | null;
  let remindFrom = 0;
  for (const [step, { at }] of history.entries()) {
    const past = history.slice(0, step + 1);
    const rules = [...new Set(past.flatMap((one) => (one.do === 'rule' ? [one.rule] : [])))].toSorted(
      (a, b) => Number(a) - Number(b),
    );
    const watches = (rule: string, monitor: string, wanted: NaiveRule['trigger']) => {
      const terms = ruleIn(past, rule);
      return terms?.trigger === wanted && terms.monitors.includes(monitor) ? terms : null;
    };
    const ruleFor = (rule: string, monitor: string) =>
      watches(rule, monitor, trigger) ??
      (rules.some((other) => watches(other, monitor, trigger)?.enabled)
        ? null
        : [watches(rule, monitor, 'monitor_down')].find((terms) => terms?.expiryAlerts)) ??
      null;
    const left = (monitor: string) => trigger === 'domain_expired' && isAway(past, monitor);
    const lives = new Map(fault.on.map((monitor) => [monitor.name, lifeOf(past, monitor).status]));
    const stands = fault.on.some(({ name }) => current(past, trigger, name) === ends);
    /** The pairs of monitor and rule to which the alert of this channel can belong now, in order of preference. */
    const places = fault.on
      .filter(({ name }) => lives.get(name) !== 'deleted' && !left(name))
      .flatMap(({ name }) => rules.map((rule): Place => ({ monitor: name, rule })))
      .filter(({ monitor, rule }) => {
        const terms = ruleFor(rule, monitor);
        return stands && terms?.enabled === true && terms.channels.includes(channel);
      });
    const awake = places.filter(({ monitor }) => lives.get(monitor) !== 'paused');
    const say = (what: SentMessage['what'], why?: SentMessage['why']) =>
      void messages.push({
        step,
        at,
        what,
        channel,
        about,
        ...(place as Place),
        ...(what === 'end' ? { why, resolvedAt: at, recovery: false } : {}),
      });

    const here: Place | null = place;
    if (here) {
      const { monitor, rule } = here;
      const gone = lives.get(monitor) === 'deleted';
      const watched = !gone && !left(monitor) && ruleFor(rule, monitor) !== null;
      const over = !stands && !inWindow(past, monitor, at);
      const elsewhere = awake.find((other) => other.monitor !== monitor);
      const sameMonitor: Place | undefined =
        gone || left(monitor) || watched || over ? undefined : firstRule(rules, monitor, channel, ruleFor);
      const next =
        lives.get(monitor) === 'paused'
          ? (elsewhere ?? sameMonitor)
          : (sameMonitor ?? (gone || !watched ? elsewhere : undefined));
      if (next) {
        if (next.rule !== rule) remindFrom = at;
        place = next;
      } else if (gone || !watched || over) {
        say('end', gone ? 'deleted' : watched ? 'recovered' : 'unwatched');
        place = null;
        continue;
      }
      const now = next ?? here;
      const terms = ruleFor(now.rule, now.monitor);
      const every = terms?.enabled && terms.channels.includes(channel) ? terms.remindEveryMs : null;
      if (every === null || at < remindFrom + every || inWindow(past, now.monitor, at)) continue;
      say('reminder');
      remindFrom = at;
      continue;
    }
    const last = messages.at(-1);
    const again = last?.what === 'end' && channel === pagingChannel && last.why !== 'recovered';
    const first = awake.find(({ monitor }) => !inWindow(past, monitor, at));
    if (!first || (last && !again)) continue;
    place = first;
    remindFrom = at;
    say('alarm');
  }
  return messages;
}

const firstRule = (
  rules: readonly string[],
  monitor: string,
  channel: string,
  ruleFor: (rule: string, monitor: string) => NaiveRule | null,
): Place | undefined => {
  const rule = rules.find((one) => {
    const terms = ruleFor(one, monitor);
    return terms?.enabled === true && terms.channels.includes(channel);
  });
  return rule === undefined ? undefined : { monitor, rule };
};

/** Whether a monitor is on another domain now. */
function isAway(past: readonly Happening[], monitor: string): boolean {
  const last = past.findLast((one) => (one.do === 'leave' || one.do === 'return') && one.monitor === monitor);
  return last?.do === 'leave';
}

/** Returns the certificate of this monitor, or the domain, if it has expired; otherwise null. */
function current(past: readonly Happening[], trigger: 'domain_expired' | 'ssl_expired', monitor: string) {
  const last = past.findLast((one) =>
    trigger === 'domain_expired' ? one.do === 'domain' : one.do === 'certificate' && one.monitor === monitor,
  );
  return last?.do === 'domain' || last?.do === 'certificate' ? last.expired : null;
}
