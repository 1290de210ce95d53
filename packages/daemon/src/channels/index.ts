import type { ChannelConfig, ChannelType } from '@uptime/sdk/contract';
import type { Channel, ChannelContext, Message, Sent } from './channel.ts';
import { discord } from './discord.ts';
import { googlechat } from './googlechat.ts';
import { matrix } from './matrix.ts';
import { ntfy } from './ntfy.ts';
import { slack } from './slack.ts';
import { teams } from './teams.ts';
import { telegram } from './telegram.ts';

export type { Channel, ChannelContext, Gateways, Message, Sent } from './channel.ts';
export type { Notice, NoticeEvent } from './notice.ts';

/** The channel of each type. */
export const channels = { slack, discord, teams, telegram, ntfy, googlechat, matrix } as unknown as {
  [T in ChannelType]: Channel<T>;
};

/** Sends a message once through a channel of any type. */
export const sendThrough = <T extends ChannelType>(
  type: T,
  config: ChannelConfig<T>,
  message: Message,
  context: ChannelContext,
): Promise<Sent> => channels[type].send(config, message, context);
