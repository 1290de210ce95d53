import type { ChannelConfig, ChannelType } from '@uptime/sdk/contract';
import type { Channel, ChannelContext, Message, Sent } from './channel.ts';
import { slack } from './slack.ts';

export type { Channel, ChannelContext, Gateways, Message, Sent } from './channel.ts';
export type { Notice, NoticeEvent } from './notice.ts';

/** The channel of each type. */
export const channels = { slack } as unknown as { [T in ChannelType]: Channel<T> };

/** Sends a message once through a channel of any type. */
export const sendThrough = <T extends ChannelType>(
  type: T,
  config: ChannelConfig<T>,
  message: Message,
  context: ChannelContext,
): Promise<Sent> => channels[type].send(config, message, context);
