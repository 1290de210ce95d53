import { defineChannelType } from './define-channel-type.ts';
import { incomingWebhook } from './incoming-webhook.ts';

export const discord = defineChannelType({
  ...incomingWebhook,
  label: 'Discord',
  example: { name: 'Community', config: { webhookUrl: '${DISCORD_WEBHOOK_URL}' } },
  docs: {
    setup: `
In the Discord channel's settings, choose *Integrations → Webhooks → New Webhook* and copy its URL. It begins with
\`https://discord.com/api/webhooks/\`.`,
    notes: `
The message is an embed, red for an outage and green for a recovery. Its title is the link. Discord refuses links to a host of one word,
such as \`http://localhost:3000\`. Such a link appears as text. To write to a thread of the channel, add \`?thread_id=…\` to the URL.`,
  },
});
