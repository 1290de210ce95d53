import { defineChannelType } from './define-channel-type.ts';
import { incomingWebhook } from './incoming-webhook.ts';

export const teams = defineChannelType({
  ...incomingWebhook,
  label: 'Microsoft Teams',
  example: { name: 'Operations', config: { webhookUrl: '${TEAMS_WEBHOOK_URL}' } },
  docs: {
    setup: `
In the Teams channel, choose *Workflows → Send webhook alerts to a channel* and copy the workflow's URL, such as
\`https://….logic.azure.com/workflows/…\`. (Microsoft has retired the older Office 365 connectors.)`,
    notes: `
The message is an Adaptive Card. The workflow responds before it posts. If a card is missing, look at the workflow's own run history.`,
  },
});
