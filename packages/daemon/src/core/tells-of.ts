import type { Trigger } from '@uptime/sdk/contract';

interface Rule {
  trigger: Trigger;
  enabled: boolean;
  /** A rule about outages also tells of certificates and domains. */
  expiryAlerts: boolean;
}

/**
 * Whether a rule tells of a trigger, given all rules that watch the monitor: it has that trigger itself, or it is about
 * outages and no enabled rule with that trigger watches. It says nothing of whether the rule is enabled.
 */
export function tellsOf(rule: Rule, trigger: Trigger, rules: readonly Rule[]): boolean {
  if (rule.trigger === trigger) return true;
  if (trigger === 'monitor_down' || rule.trigger !== 'monitor_down' || !rule.expiryAlerts) return false;
  return !rules.some((one) => one.enabled && one.trigger === trigger);
}

export const domainTriggers = ['domain_expiring', 'domain_expired'] as const satisfies readonly Trigger[];

/** Such an alert is one for each channel, however many monitors are on the domain. */
export const isAboutDomain = (trigger: Trigger): boolean => (domainTriggers as readonly Trigger[]).includes(trigger);

/** What makes a fault of a domain one fault: its name and the day on which its registration ends (`YYYY-MM-DD`). */
export const domainSubject = (name: string, day: string): string => `${name} ${day}`;

/** The domain that such a subject is about. */
export const domainOf = (subject: string): string => subject.split(' ', 1)[0] ?? '';
