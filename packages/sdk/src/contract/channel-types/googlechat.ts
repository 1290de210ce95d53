import { defineChannelType } from './define-channel-type.ts';
import { incomingWebhook } from './incoming-webhook.ts';

export const googlechat = defineChannelType({
  ...incomingWebhook,
  label: 'Google Chat',
  example: { name: 'On-call space', config: { webhookUrl: '${GOOGLE_CHAT_WEBHOOK_URL}' } },
  docs: {
    setup: `
In the space, choose *Apps & integrations → Webhooks → Add webhook* and copy its URL, such as
\`https://chat.googleapis.com/v1/spaces/…/messages?key=…&token=…\`.`,
    notes: `
The message is a card. If the space has threads, reminders and the recovery are replies in the thread of their alarm.`,
  },
});
