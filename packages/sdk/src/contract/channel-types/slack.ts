import { defineChannelType } from './define-channel-type.ts';
import { incomingWebhook } from './incoming-webhook.ts';

export const slack = defineChannelType({
  ...incomingWebhook,
  label: 'Slack',
  example: { name: 'Team chat', config: { webhookUrl: '${SLACK_WEBHOOK_URL}' } },
  docs: {
    setup: `
Create an app at <https://api.slack.com/apps>, turn on *Incoming Webhooks*, and add a webhook to a Slack channel. Its URL begins with
\`https://hooks.slack.com/services/\`.`,
    notes: `
The message has a heading, the reason, details and a link.`,
  },
});
