import type { ChannelConfig, ChannelType } from '@uptime/sdk/contract';
import type { Channel, ChannelContext, Message, Sent } from './channel.ts';
import { discord } from './discord.ts';
import { email } from './email.ts';
import { googlechat } from './googlechat.ts';
import { matrix } from './matrix.ts';
import { ntfy } from './ntfy.ts';
import { opsgenie } from './opsgenie.ts';
import { pagerduty } from './pagerduty.ts';
import { phone } from './phone.ts';
import { pushover } from './pushover.ts';
import { slack } from './slack.ts';
import { sms } from './sms.ts';
import { teams } from './teams.ts';
import { telegram } from './telegram.ts';
import { webhook } from './webhook.ts';

export type { Channel, ChannelContext, Gateways, Message, Sent } from './channel.ts';
export { surelyNotSent } from './channel.ts';
export type { Notice, NoticeEvent } from './notice.ts';

/** For each channel type, the object that sends its messages. */
export const channels: { [T in ChannelType]: Channel<T> } = {
  email,
  slack,
  discord,
  teams,
  pagerduty,
  opsgenie,
  webhook,
  telegram,
  sms,
  phone,
  pushover,
  ntfy,
  googlechat,
  matrix,
};

/** Sends a message once through a channel of any type. */
export const sendThrough = <T extends ChannelType>(
  type: T,
  config: ChannelConfig<T>,
  message: Message,
  context: ChannelContext,
): Promise<Sent> => channels[type].send(config, message, context);
