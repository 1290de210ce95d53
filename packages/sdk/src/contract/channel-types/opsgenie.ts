import * as z from 'zod';
import { defineChannelType } from './define-channel-type.ts';
import { token } from './config-fields.ts';

export const opsgenie = defineChannelType({
  label: 'Opsgenie',
  config: z
    .strictObject({
      apiKey: token('API key of the integration.'),
      region: z.enum(['us', 'eu']).default('us').describe('Where the account is hosted.'),
    })
    .meta({ id: 'OpsgenieConfig' }),
  secrets: ['apiKey'],
  destinations: ['region'],
  keepsIncidents: true,
  lateAlarms: 'omit',
  example: { name: 'On call (Opsgenie)', config: { apiKey: '${OPSGENIE_KEY}', region: 'eu' } },
  docs: {
    setup: `
In the team, choose *Integrations → Add integration → API* with the right to create and update. Copy its API key.`,
    notes: `
The alarm creates an alert in Opsgenie. Its priority is:

- P1 for an outage
- P2 for a certificate or domain that has expired or is not valid
- P3 for a certificate or domain that expires soon
- P5 for a test

When the outage ends, the daemon closes this alert, as with PagerDuty. \`UPTIME_OPSGENIE_URL\` replaces the address of the region.`,
  },
});
