import * as z from 'zod';
import { line } from '../fields.ts';
import { defineChannelType } from './define-channel-type.ts';
import { address, addressRule, token } from './config-fields.ts';

export const matrix = defineChannelType({
  label: 'Matrix',
  config: z
    .strictObject({
      homeserverUrl: address('Address of the homeserver; a password in it is masked when read.'),
      roomId: line(255).describe('Room to write to.'),
      accessToken: token('Access token of the account.'),
    })
    .meta({ id: 'MatrixConfig' }),
  secrets: ['accessToken'],
  destinations: ['homeserverUrl'],
  rules: { homeserverUrl: addressRule },
  example: {
    name: 'Ops room',
    config: {
      homeserverUrl: 'https://matrix.example.com',
      roomId: '!abcdefghijk:example.com',
      accessToken: '${MATRIX_TOKEN}',
    },
  },
  docs: {
    setup: `
Create an account for the alarms, invite it to the room and let it join. Element shows the access token below *Settings → Help & About*.
It shows the room's id in the room's settings below *Advanced*.

The id begins with \`!\`. An alias (\`#room:server\`) is refused. Rooms with end-to-end encryption show the message, marked as not
encrypted.`,
    notes: `
The message has the type \`m.text\`, for which Matrix clients notify their users. The daemon uses the delivery's id as the
transaction id of Matrix. So a message that is sent again after a lost response appears only once.`,
  },
});
