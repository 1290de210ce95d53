import { createHmac, hkdfSync } from 'node:crypto';
import {
  type ChannelConfig,
  type ChannelType,
  type ChannelTypeDefinition,
  channelTypeDefinitions,
} from '@uptime/sdk/contract';
import { spellingsOf } from '../../core/address-spelling.ts';
import type { GatewayKind } from '../../core/message-budget.ts';

/**
 * The digests of an address, which the database stores in place of the address. They are keyed with the server's
 * secret. Without a key, a phone number could be found from its digest by trying all numbers.
 */
export interface AddressDigests {
  kind: GatewayKind;
  /** A digest that is the same for all spellings of one address. Confirmations are stored under it. */
  address: string;
  /** A digest that is the same for all addresses of one mailbox or phone. Sent codes are counted under it. */
  mailbox: string;
}

/** Computes the digests of addresses and of confirmation codes. */
export interface AddressDigester {
  /**
   * Returns the digests of the address in a channel's config. Null if messages to channels of this type do not go
   * through a gateway of the operator (mail, SMS or calls).
   */
  of<T extends ChannelType>(type: T, config: ChannelConfig<T>): AddressDigests | null;
  /**
   * Returns the digest of a confirmation code. It depends on the channel and the address, so the code is valid only for
   * these.
   */
  ofCode(channelId: string, address: string, code: string): string;
}

export function createAddressDigester(secret: string): AddressDigester {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'uptime addresses', 32));
  const digest = (...parts: string[]) => createHmac('sha256', key).update(JSON.stringify(parts)).digest('base64url');
  return {
    of<T extends ChannelType>(type: T, config: ChannelConfig<T>) {
      const { gateway }: ChannelTypeDefinition = channelTypeDefinitions[type];
      if (!gateway) return null;
      const { kind } = gateway;
      const given = new Map<string, unknown>(Object.entries(config)).get(gateway.address);
      const { address, mailbox } = spellingsOf(kind, String(given));
      return { kind, address: digest('address', kind, address), mailbox: digest('mailbox', kind, mailbox) };
    },
    ofCode: (channelId, address, code) => digest('code', channelId, address, code),
  };
}
