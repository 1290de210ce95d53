import * as z from 'zod';
import { defineChannelType } from './define-channel-type.ts';
import { token } from './config-fields.ts';

export const pushover = defineChannelType({
  label: 'Pushover',
  config: z
    .strictObject({ userKey: token('User or group key.'), appToken: token('Token of the application.') })
    .meta({ id: 'PushoverConfig' }),
  secrets: ['userKey', 'appToken'],
  example: { name: 'Pocket', config: { userKey: '${PUSHOVER_USER}', appToken: '${PUSHOVER_APP}' } },
  docs: {
    setup: `
Register an application at <https://pushover.net/apps/build>. The dashboard shows the user or group key.`,
    notes: `
A message has high priority and passes quiet hours if it is about an outage, or about a certificate or domain that has expired or is not
valid. All other messages have normal priority.`,
  },
});
