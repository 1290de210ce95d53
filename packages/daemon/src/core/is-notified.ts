import type { Trigger } from '@uptime/sdk/contract';

interface Rule {
  trigger: Trigger;
  enabled: boolean;
  /** A rule about outages also reports certificates and domains. */
  expiryAlerts: boolean;
}

/**
 * Whether a rule reports a trigger, given all rules that watch the monitor. Either it has that trigger itself, or it is
 * about outages and no enabled rule with that trigger watches the monitor. It does not check whether the rule is
 * enabled.
 */
export function isNotified(rule: Rule, trigger: Trigger, rules: readonly Rule[]): boolean {
  if (rule.trigger === trigger) return true;
  if (trigger === 'monitor_down' || rule.trigger !== 'monitor_down' || !rule.expiryAlerts) return false;
  return !rules.some((one) => one.enabled && one.trigger === trigger);
}

export const domainTriggers = ['domain_expiring', 'domain_expired'] as const satisfies readonly Trigger[];

/** Each channel gets one alert about a domain, however many monitors are on the domain. */
export const isAboutDomain = (trigger: Trigger): boolean => (domainTriggers as readonly Trigger[]).includes(trigger);

/** Identifies a domain's fault: its name and the day on which its registration ends (`YYYY-MM-DD`). */
export const domainSubject = (name: string, day: string): string => `${name} ${day}`;

/** The domain in a subject that `domainSubject` made. */
export const domainOf = (subject: string): string => subject.split(' ', 1)[0] ?? '';
