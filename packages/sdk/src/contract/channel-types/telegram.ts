import * as z from 'zod';
import { line } from '../fields.ts';
import { defineChannelType } from './define-channel-type.ts';
import { token } from './config-fields.ts';

export const telegram = defineChannelType({
  label: 'Telegram',
  config: z
    .strictObject({
      botToken: token('Token of the bot.'),
      chatId: line(200).describe('Chat to write to.'),
    })
    .meta({ id: 'TelegramConfig' }),
  secrets: ['botToken'],
  example: { name: 'Duty chat', config: { botToken: '${TELEGRAM_BOT_TOKEN}', chatId: '-1001234567890' } },
  docs: {
    setup: `
Create a bot with [@BotFather](https://t.me/BotFather). Write to the bot, or add it to the group. Then
\`https://api.telegram.org/bot<token>/getUpdates\` shows the id of the chat. The \`@name\` of a public channel also works.`,
    notes: `
The message has no link preview. \`UPTIME_TELEGRAM_URL\` sets a Bot API server of your own.`,
  },
});
