import * as z from 'zod';
import { line } from '../fields.ts';
import { defineChannelType } from './define-channel-type.ts';
import { address, addressRule } from './config-fields.ts';

export const ntfy = defineChannelType({
  label: 'ntfy',
  config: z
    .strictObject({
      topic: line(200).describe('Topic to publish to.'),
      serverUrl: address('Server that holds the topic; a password in it is masked when read.').default(
        'https://ntfy.sh',
      ),
    })
    .meta({ id: 'NtfyConfig' }),
  destinations: ['serverUrl'],
  rules: { serverUrl: addressRule },
  example: { name: 'Phone', config: { topic: 'shop-alerts-8f3k1x', serverUrl: 'https://ntfy.sh' } },
  docs: {
    setup: `
Choose a topic that is hard to guess, and subscribe to it in the app.`,
    notes: `
A tap on the message opens the link. The priority is:

- 5 for an outage, and for a certificate or domain that has expired or is not valid
- 4 for a certificate or domain that expires soon
- 3 for a recovery

For a protected topic, put the credentials into the address: \`https://name:password@ntfy.example.com\`. For an access token, use
\`https://:tk_token@ntfy.example.com\`.`,
  },
});
