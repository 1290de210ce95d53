import { alertRuleEndpoints } from './alert-rules.ts';
import { authEndpoints } from './auth.ts';
import { billingEndpoints } from './billing.ts';
import { channelEndpoints } from './channels.ts';
import { healthEndpoints } from './health.ts';
import { heartbeatEndpoints } from './heartbeats.ts';
import { incidentEndpoints } from './incidents.ts';
import { monitorPastEndpoints } from './monitor-past.ts';
import { monitorEndpoints } from './monitors.ts';
import { probeEndpoints } from './probes.ts';
import { projectKeyEndpoints } from './project-keys.ts';
import { projectEndpoints } from './projects.ts';
import { regionEndpoints } from './regions.ts';
import { statusPageEndpoints } from './status-pages.ts';

export * from './address-secrets.ts';
export * from './alert-rules.ts';
export * from './auth.ts';
export * from './billing.ts';
export * from './channel-digest.ts';
export type * from './channel-types/define-channel-type.ts';
export * from './channel-types/index.ts';
export * from './channels.ts';
export * from './check-results.ts';
export * from './endpoint.ts';
export * from './errors.ts';
export * from './escape-markup.ts';
export type { Nouns, PlanRemedy } from './fault-sentences.ts';
export * from './fields.ts';
export * from './header-fields.ts';
export * from './health.ts';
export * from './host.ts';
export * from './key-of-name.ts';
export * from './key-scopes.ts';
export * from './heartbeats.ts';
export * from './incidents.ts';
export * from './monitor-fields.ts';
export * from './monitor-past.ts';
export * from './manifest.ts';
export * from './monitor-rules.ts';
export * from './monitor-types/common-fields.ts';
export { maxGracePeriodSeconds, maxHeartbeatIntervalSeconds } from './monitor-types/heartbeat.ts';
export * from './monitor-types/index.ts';
export type { ReadOnlyField, SecretPart } from './monitor-types/define-monitor-type.ts';
export * from './monitor-types/monitor-reads.ts';
export * from './monitor-types/read-only-fields.ts';
export * from './monitors.ts';
export * from './nearest.ts';
export * from './plain-headers.ts';
export * from './plan-limits.ts';
export * from './probes.ts';
export * from './project-keys.ts';
export * from './projects.ts';
export * from './public-page.ts';
export * from './regions.ts';
export * from './schedule-faults.ts';
export * from './secret-mask.ts';
export * from './status-pages.ts';
export * from './stored-size.ts';
export * from './validate-alert-rule.ts';
export * from './validate-channel.ts';
export * from './validate-status-page.ts';
export * from './validate.ts';

/** Every endpoint of the interface, by operation id. */
export const allEndpoints = {
  ...authEndpoints,
  ...projectEndpoints,
  ...projectKeyEndpoints,
  ...monitorEndpoints,
  ...monitorPastEndpoints,
  ...heartbeatEndpoints,
  ...incidentEndpoints,
  ...statusPageEndpoints,
  ...channelEndpoints,
  ...alertRuleEndpoints,
  ...regionEndpoints,
  ...probeEndpoints,
  ...billingEndpoints,
  ...healthEndpoints,
};
