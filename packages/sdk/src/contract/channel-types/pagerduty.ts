import * as z from 'zod';
import { defineChannelType } from './define-channel-type.ts';
import { token } from './config-fields.ts';

export const pagerduty = defineChannelType({
  label: 'PagerDuty',
  config: z.strictObject({ integrationKey: token('Events API v2 integration key.') }).meta({ id: 'PagerdutyConfig' }),
  secrets: ['integrationKey'],
  keepsIncidents: true,
  lateAlarms: 'omit',
  example: { name: 'On call', config: { integrationKey: '${PAGERDUTY_KEY}' } },
  docs: {
    setup: `
In the service, choose *Integrations → Add integration → Events API v2* and copy the integration key.`,
    notes: `
The alarm opens an incident. Its severity is:

- critical for an outage
- error for a certificate or domain that has expired or is not valid
- warning for a certificate or domain that expires soon

The end of the alert resolves the incident, whether the monitor recovered, was paused or deleted, or the rule no longer watches it.
A test opens an incident of severity info, which you resolve yourself. For accounts in the EU, set
\`UPTIME_PAGERDUTY_URL=https://events.eu.pagerduty.com\`.`,
  },
});
