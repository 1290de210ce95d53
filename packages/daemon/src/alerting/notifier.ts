import type { ChannelConfig, ChannelType } from '@uptime/sdk/contract';
import { type ChannelContext, type Notice, type Sent, sendThrough } from '../channels/index.ts';
import type { Seal } from '../store/seal.ts';
import type { ChannelRow } from '../store/tables.ts';
import { alertLink } from './alert-link.ts';

/** Sends messages through stored channels. Only this code decrypts the configs of channels. */
export interface Notifier {
  /** Encrypts a config for the database. */
  seal(channelId: string, config: ChannelConfig<ChannelType>): string;
  /** Decrypts a channel's config. Null if it was stored under another secret key. */
  open(channel: Pick<ChannelRow, 'id' | 'config'>): ChannelConfig<ChannelType> | null;
  /**
   * Makes one attempt to send a notice. Never throws. `id` is the id of the delivery. An abort of the signal ends the
   * attempt.
   */
  send(
    channel: Pick<ChannelRow, 'id' | 'type' | 'config'>,
    id: string,
    notice: Notice,
    signal?: AbortSignal,
  ): Promise<Sent>;
}

/** The error of a channel whose config cannot be decrypted. */
export const unreadable =
  "The channel's config cannot be read, because it was stored under another secret key. Send the config again, or start the daemon with its former key.";

/** Creates a notifier. `secret` signs the links to alerts. */
export function createNotifier(options: {
  seal: Seal;
  siteUrl: () => string;
  secret: string;
  channels: ChannelContext;
}): Notifier {
  const { seal, siteUrl, secret, channels } = options;
  const open: Notifier['open'] = ({ id, config }) => {
    const text = seal.open(config, id);
    return text === null ? null : (JSON.parse(text) as ChannelConfig<ChannelType>);
  };
  return {
    seal: (channelId, config) => seal.close(JSON.stringify(config), channelId),
    open,
    async send(channel, id, notice, signal) {
      const config = open(channel);
      if (config === null) return { ok: false, retry: true, retryAfterMs: null, status: null, text: unreadable };
      const link =
        notice.kind === 'test' || notice.kind === 'code' ? `${siteUrl()}/` : alertLink(siteUrl(), secret, notice.alert);
      return sendThrough(channel.type, config, { id, notice, link }, signal ? { ...channels, signal } : channels);
    },
  };
}
