import {
  type Fault,
  type KnownAlert,
  type Review,
  type Successor,
  successor,
  type WatchingRule,
} from '../core/alerts.ts';
import type { MonitorState } from '../core/monitor-state.ts';
import { pagingChannel, type NaiveRule, type NaiveWindow } from './naive-alerts.ts';

/** The names of the channels. In these tests, the number of a channel is its index in this list. */
export const channels = ['chat', pagingChannel];

export interface Alert extends KnownAlert {
  monitor: string;
  remindAt: number | null;
}

export interface World {
  rules: { id: string; terms: NaiveRule }[];
  windows: Record<string, NaiveWindow>;
  states: Record<string, MonitorState>;
  outages: Record<string, string | null>;
  alerts: Alert[];
  /** The expired certificate of each monitor; null if the certificate has not expired. */
  certificates: Record<string, string | null>;
  /** The registration of the domain that all monitors except heartbeats share; null if it has not expired. */
  domain: string | null;
  /** Monitors whose target an edit has moved to another domain. */
  away: string[];
}

/** Returns the number of a rule. In these tests, the id of a rule is its number as text. */
export const ruleNumber = (id: string) => Number(id);

/** The domain of all monitors except heartbeats. */
export const domainName = 'shop.example';

export const watching = (world: World, name: string): WatchingRule[] =>
  world.rules
    .filter(({ terms }) => terms.monitors.includes(name))
    .toSorted((a, b) => ruleNumber(a.id) - ruleNumber(b.id))
    .map(({ id, terms }) => ({
      rule: ruleNumber(id),
      trigger: terms.trigger,
      consecutiveFailures: terms.failures,
      enabled: terms.enabled,
      expiryAlerts: terms.expiryAlerts,
      reminderIntervalMs: terms.remindEveryMs,
      channels: terms.channels.map((channel) => channels.indexOf(channel)),
    }));

export const inMaintenance = (world: World, name: string, at: number) =>
  Object.values(world.windows).some(
    (window) =>
      window.monitors.includes(name) &&
      at >= window.start &&
      at < window.end &&
      !(window.resolvedAt !== null && window.resolvedAt <= at),
  );

export const isHeartbeat = (state: MonitorState) => Object.keys(state.regions).length === 0;

export function standing(world: World, name: string, state: MonitorState): Fault[] {
  const certificate = world.certificates[name] ?? null;
  const faults: Fault[] = [];
  if (certificate !== null) faults.push({ trigger: 'ssl_expired', subject: certificate, fires: true });
  if (world.domain !== null && !isHeartbeat(state) && !world.away.includes(name))
    faults.push({ trigger: 'domain_expired', subject: world.domain, fires: true });
  return faults;
}

/**
 * Returns the monitor and the rule that take over an alert, as alerting/find-successor.ts does. The number of a monitor
 * is its index in `states`.
 */
export function successorOf(world: World, alert: Alert): Successor | null {
  for (const [monitor, [name, state]] of Object.entries(world.states).entries()) {
    if (name === alert.monitor || state.status === 'paused') continue;
    const stands = standing(world, name, state).some(
      ({ trigger, subject }) => trigger === alert.trigger && subject === alert.subject,
    );
    const rule = stands ? successor(alert, watching(world, name)) : undefined;
    if (rule) return { alert: alert.id, monitor, rule: rule.rule };
  }
  return null;
}

export function move(world: World, to: Review['move'][number], at: number): void {
  const alert = world.alerts.find(({ id }) => id === to.alert) as Alert;
  if (to.monitor !== undefined) alert.monitor = Object.keys(world.states)[to.monitor] as string;
  if (alert.rule === to.rule) return;
  alert.rule = to.rule;
  const every = world.rules.find(({ id }) => ruleNumber(id) === to.rule)?.terms.remindEveryMs ?? null;
  alert.remindAt = every === null ? null : at + every;
}
