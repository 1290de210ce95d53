import { messageOf, testChannelContext } from './messages.ts';
import type { ChannelContext, Sent } from '../channels/channel.ts';
import { email } from '../channels/email.ts';

export const mailFrom = 'Uptime <uptime@mail.example>';

export const address = 'ops@shop.example';

export const send = (
  smtpUrl: string | null,
  message = messageOf(),
  more: Partial<ChannelContext> = {},
): Promise<Sent> => email.send({ address }, message, testChannelContext({ ...more, gateways: { smtpUrl, mailFrom } }));

export const reply = (responseCode: number, text: string) => Object.assign(new Error(text), { responseCode });
