import { fieldFacts, whole } from '../fields.ts';
import { defineMonitorType } from './define-monitor-type.ts';

/** The longest interval and grace period of a heartbeat. */
export const maxHeartbeatIntervalSeconds = 2_592_000;
export const maxGracePeriodSeconds = 604_800;

export const heartbeat = defineMonitorType({
  type: 'heartbeat',
  label: 'a job reports that it ran',
  mode: 'passive',
  timeoutSeconds: 10,
  fields: {
    interval: whole(1, maxHeartbeatIntervalSeconds)
      .default(60)
      .describe('Seconds between expected pings.')
      .register(fieldFacts, { unit: 'seconds' }),
    gracePeriod: whole(0, maxGracePeriodSeconds)
      .default(30)
      .describe('Seconds of extra waiting before the monitor is marked down.')
      .register(fieldFacts, { unit: 'seconds' }),
  },
  readOnly: ['pingUrl', 'lastPingAt'],
  target: { interval: false, gracePeriod: false },
  secrets: {},
  errorCodes: { no_ping: 30 },
  address: () => '',
  host: () => null,
  silenceMs: ({ interval, gracePeriod }) => (interval + gracePeriod) * 1000,
  sample: {},
  examples: [{ key: 'nightly-report', name: 'Nightly report', interval: 86_400, gracePeriod: 1800, paused: false }],
});
