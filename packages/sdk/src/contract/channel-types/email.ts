import * as z from 'zod';
import { defineChannelType } from './define-channel-type.ts';

export const email = defineChannelType({
  label: 'E-mail',
  config: z
    .strictObject({ address: z.email({ error: 'an e-mail address' }).max(254).describe('Where to send.') })
    .meta({ id: 'EmailConfig' }),
  gateway: { kind: 'mail', address: 'address' },
  example: { name: 'Team mail', config: { address: 'team@example.com' } },
  docs: {
    setup: `
The operator of the server sets two settings:

- \`UPTIME_SMTP_URL\`: \`smtps://user:password@mail.example.com\`, or \`smtp://…:587\`, which switches to TLS if the mail server offers it
- \`UPTIME_MAIL_FROM\`: \`Uptime <uptime@example.com>\``,
    notes: `
A mail has a text and an HTML part. Reminders and the recovery are replies to their alarm. Each has its own subject, and Gmail groups
mails by subject. So Gmail shows them separately.

- The daemon retries a mail that the server refuses temporarily (4yz).
- If the server refuses a mail permanently (5yz), the daemon sends it once more, a minute later.
- If the server refuses the content, the daemon sends the mail again at once, with only the text part.

The mail server has a minute to receive a message. After the end of the message the daemon waits 10 minutes for the reply, as RFC 5321 asks.
After a shorter wait, a server that scans slowly could get the mail twice. All attempts have the same \`Message-ID\`. For a test message,
the daemon waits only 15 seconds.`,
  },
});
