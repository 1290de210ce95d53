import type { Trigger } from '@uptime/sdk/contract';

interface Rule {
  trigger: Trigger;
  enabled: boolean;
  /** Whether a rule about outages also reports certificates and domains. */
  expiryAlerts: boolean;
}

/**
 * Whether a rule reports faults with this trigger. `rules` are all rules that watch the monitor. A rule reports faults
 * with its own trigger. A rule about outages with `expiryAlerts` also reports certificates and domains, unless an
 * enabled rule with this trigger watches the monitor. The caller has to check whether the rule itself is enabled.
 */
export function isNotified(rule: Rule, trigger: Trigger, rules: readonly Rule[]): boolean {
  if (rule.trigger === trigger) return true;
  if (trigger === 'monitor_down' || rule.trigger !== 'monitor_down' || !rule.expiryAlerts) return false;
  return !rules.some((one) => one.enabled && one.trigger === trigger);
}

export const domainTriggers = ['domain_expiring', 'domain_expired'] as const satisfies readonly Trigger[];

/**
 * Whether a trigger is about the registration of a domain. Each channel gets one alert about a domain, however many
 * monitors are on the domain.
 */
export const isAboutDomain = (trigger: Trigger): boolean => (domainTriggers as readonly Trigger[]).includes(trigger);

/**
 * Returns the subject of an alert about a domain: the name of the domain and the day on which its registration ends
 * (`YYYY-MM-DD`).
 */
export const domainSubject = (name: string, day: string): string => `${name} ${day}`;

/** Returns the domain in a subject that `domainSubject` made. */
export const domainOf = (subject: string): string => subject.split(' ', 1)[0] ?? '';
