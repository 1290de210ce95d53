import { findSuccessors, remind, type Review, review } from '../core/alerts.ts';
import { outageChange } from '../core/outage.ts';
import { judgeSilence, observePing } from '../core/heartbeat.ts';
import { newState, pause, resume, retarget } from '../core/lifecycle.ts';
import type { MonitorState, Step } from '../core/monitor-state.ts';
import { domainSubject, isAboutDomain } from '../core/is-notified.ts';
import { dayMs } from '../core/uptime.ts';
import { observeCheck } from '../core/verdict.ts';
import {
  type Alert,
  channels,
  domainName,
  inMaintenance,
  isHeartbeat,
  move,
  ruleNumber,
  standing,
  successorOf,
  watching,
  type World,
} from './alerted-world.ts';
import { pagingChannel, type Happening, type NaiveMonitor, type SentMessage } from './naive-alerts.ts';
import { noAbsences } from '../core/absence.ts';

/**
 * Returns all messages to every channel during a history. For that, it combines the pure functions of `core` as
 * `alerting` does. A restart keeps only what can be stored as JSON.
 */
export function play(watched: readonly NaiveMonitor[], happenings: readonly Happening[]): SentMessage[] {
  const messages: SentMessage[] = [];
  let world: World = {
    rules: [],
    windows: {},
    states: {},
    outages: {},
    alerts: [],
    certificates: {},
    domain: null,
    away: [],
  };
  for (const { name, regions, allowedSilenceMs } of watched) {
    const checking = Array.from({ length: regions }, (_, at) => at + 1);
    world.states[name] = newState(0, false, checking, regions === 0 ? allowedSilenceMs : null);
    world.outages[name] = null;
  }
  for (const [step, happening] of happenings.entries()) {
    if (happening.do === 'restart') world = JSON.parse(JSON.stringify(world)) as World;
    else happen(world, watched, happening, step, messages);
    for (const { name } of watched) remindOf(world, name, happening.at, step, messages);
  }
  return messages;
}

function happen(
  world: World,
  watched: readonly NaiveMonitor[],
  one: Happening,
  step: number,
  messages: SentMessage[],
): void {
  const { at } = one;
  const look = (name: string, failed = false) => {
    if (world.states[name]) bringInLine(world, name, at, failed, step, messages);
  };
  if (one.do === 'tick') for (const { name } of watched) look(name);
  if (one.do === 'window') {
    const concerned = [...(world.windows[one.window]?.monitors ?? []), ...one.to.monitors];
    world.windows[one.window] = one.to;
    for (const name of new Set(concerned)) look(name);
  }
  if (one.do === 'rule') {
    const concerned = new Set([
      ...(world.rules.find(({ id }) => id === one.rule)?.terms.monitors ?? []),
      ...(one.to?.monitors ?? []),
    ]);
    world.rules = world.rules.filter(({ id }) => id !== one.rule);
    if (one.to) world.rules.push({ id: one.rule, terms: one.to });
    for (const { name } of watched.filter((monitor) => concerned.has(monitor.name))) look(name);
  }
  if (one.do === 'domain') world.domain = one.expired === null ? null : domainSubject(domainName, one.expired);
  if (one.do === 'certificate') world.certificates[one.monitor] = one.expired;
  if (one.do === 'leave' || one.do === 'return') world.away = world.away.filter((name) => name !== one.monitor);
  if (one.do === 'leave') world.away.push(one.monitor);
  act(world, watched, one, step, messages);
  // Reviews every monitor again. That changes nothing, unless an alert about a domain has to move to another monitor.
  const expires = world.domain !== null || Object.keys(world.certificates).length > 0;
  if (expires || ['domain', 'leave', 'return'].includes(one.do)) for (const { name } of watched) look(name);
}

/** Applies an event to a monitor. */
function act(
  world: World,
  watched: readonly NaiveMonitor[],
  one: Happening,
  step: number,
  messages: SentMessage[],
): void {
  const { at } = one;
  if (!('monitor' in one) || one.do === 'certificate') return;
  const look = (name: string, failed = false) => {
    if (world.states[name]) bringInLine(world, name, at, failed, step, messages);
  };
  const before = world.states[one.monitor];
  const monitor = watched.find(({ name }) => name === one.monitor);
  if (!before || !monitor) return;
  if (one.do === 'delete') {
    for (const alert of world.alerts.filter((kept) => kept.monitor === one.monitor && kept.open)) {
      const successorAlert = isAboutDomain(alert.trigger) ? successorOf(world, alert) : null;
      if (successorAlert) {
        move(world, successorAlert, at);
        continue;
      }
      alert.open = false;
      alert.reopens = channels[alert.channel] === pagingChannel;
      messages.push({ ...messageOf(alert, step, at), what: 'end', resolvedAt: at, why: 'deleted', recovery: false });
    }
    delete world.states[one.monitor];
    return;
  }
  const { state, transition } = advance(before, one, monitor);
  // As in `moveState` (recording/move-state.ts), alerts are reviewed before the status of the monitor changes, because
  // a maintenance window may have held back messages until now.
  if (transition?.from === 'up') look(one.monitor);
  world.states[one.monitor] = state;
  const change = transition && outageChange(transition);
  if (change) world.outages[one.monitor] = change.open ? `outage-${step}` : null;
  const failed = state.status === 'down' && state.failures > before.failures;
  const edit = ['pause', 'resume', 'retarget', 'rename'].includes(one.do);
  if (transition || edit || (one.do === 'check' && failed)) look(one.monitor, one.do === 'check' && failed);
}

function advance(
  state: MonitorState,
  one: Happening & { monitor: string },
  { regions, allowedSilenceMs }: NaiveMonitor,
): Step {
  const { at } = one;
  const heartbeat = regions === 0 ? allowedSilenceMs : null;
  if (one.do === 'check') {
    const error = one.failed ? ({ code: 'timeout', message: 'No answer.' } as const) : null;
    // The checks of a region are at least a minute apart, and each must be a round of its own. So every minute of the
    // history is stretched to an interval of one day.
    const begunAt = (at / 60_000) * dayMs;
    const seen = { region: one.region, begunAt, at, requested: false, error };
    return observeCheck(state, seen, { intervalMs: dayMs, absences: noAbsences });
  }
  if (one.do === 'ping') return observePing(state, { kind: 'success', at, exitCode: null }, allowedSilenceMs);
  if (one.do === 'fail') return observePing(state, { kind: 'failure', at, exitCode: null }, allowedSilenceMs);
  if (one.do === 'look') return judgeSilence(state, at);
  if (one.do === 'pause' && state.status !== 'paused') return pause(state, at);
  if (one.do === 'resume' && state.status === 'paused') return resume(state, at, heartbeat);
  return { state: one.do === 'retarget' ? retarget(state, at) : state, transition: null };
}

function bringInLine(
  world: World,
  name: string,
  at: number,
  failed: boolean,
  step: number,
  messages: SentMessage[],
): void {
  const state = world.states[name] as MonitorState;
  const facts = {
    at,
    status: state.status,
    since: state.since,
    failures: state.failures,
    outage: world.outages[name] ?? null,
    seenFailing: failed || isHeartbeat(state),
    expiry: standing(world, name, state),
    domain: isHeartbeat(state) ? null : world.away.includes(name) ? 'elsewhere.example' : domainName,
    maintenance: inMaintenance(world, name, at),
    windowOpen: inMaintenance(world, name, at),
  };
  const rules = watching(world, name);
  const subjects = new Set([facts.outage, ...facts.expiry.map(({ subject }) => subject)]);
  const ask = () => {
    const known = world.alerts
      .filter(({ monitor, trigger }) => monitor === name || isAboutDomain(trigger))
      .filter(({ open, monitor, subject }) => (open && monitor === name) || subjects.has(subject))
      .map((alert) => ({ ...alert, elsewhere: alert.monitor !== name }));
    const found = review(facts, rules, known);
    const successors = findSuccessors(facts, known, found)
      .map(({ id }) => successorOf(world, world.alerts.find((alert) => alert.id === id) as Alert))
      .filter((successorAlert) => successorAlert !== null);
    return review(facts, rules, known, successors);
  };
  const found = ask();
  for (const to of found.move) move(world, to, at);
  for (const { alert: id, at: resolvedAt, reason } of found.resolve) {
    const alert = world.alerts.find((kept) => kept.id === id) as Alert;
    alert.open = false;
    alert.reopens = reason === 'unwatched' && channels[alert.channel] === pagingChannel;
    const terms = world.rules.find((rule) => ruleNumber(rule.id) === alert.rule)?.terms;
    const recovery = reason === 'recovered' && alert.trigger === 'monitor_down' && (terms?.notifyOnRecovery ?? false);
    messages.push({ ...messageOf(alert, step, at), what: 'end', resolvedAt, why: reason, recovery });
  }
  for (const { alert: id, subject } of found.carryOver)
    (world.alerts.find((kept) => kept.id === id) as Alert).subject = subject;
  for (const fired of found.fire) {
    const every = rules.find(({ rule }) => rule === fired.rule)?.reminderIntervalMs ?? null;
    const remindAt = every === null ? null : at + every;
    const again = world.alerts.find(({ id }) => id === fired.again);
    if (again) Object.assign(again, { open: true, reopens: false, remindAt, monitor: name, rule: fired.rule });
    const alert = again ?? { ...fired, id: `alert-${world.alerts.length}`, monitor: name, open: true, remindAt };
    if (!again) world.alerts.push(alert);
    messages.push({ ...messageOf(alert, step, at), what: 'alarm' });
  }
  const again = ask();
  if (again.fire.length + again.resolve.length + again.carryOver.length + again.move.length > 0)
    throw new Error(`A second review of the same state returned changes: ${JSON.stringify(again)}`);
}

function remindOf(world: World, name: string, at: number, step: number, messages: SentMessage[]): void {
  for (const alert of world.alerts.filter((kept) => kept.monitor === name && kept.open)) {
    const rule = watching(world, name).find((one) => one.rule === alert.rule);
    const next = rule ? remind(alert, rule, { at, maintenance: inMaintenance(world, name, at) }) : null;
    if (next === null) continue;
    alert.remindAt = next;
    messages.push({ ...messageOf(alert, step, at), what: 'reminder' });
  }
}

type Fired = Review['fire'][number];

const messageOf = (
  { rule, channel, monitor, trigger, subject }: Omit<Fired, 'again'> & { monitor: string },
  step: number,
  at: number,
) => ({
  ...(trigger === 'monitor_down' ? {} : { about: subject }),
  step,
  at,
  rule: String(rule),
  monitor,
  channel: channels[channel] as string,
});
