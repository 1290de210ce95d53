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
 * secret, because a plain digest of a phone number can be guessed.
 */
export interface AddressDigests {
  kind: GatewayKind;
  /** Digest that all spellings of one address share. A confirmation is stored under it. */
  address: string;
  /** Digest that all addresses of one mailbox or phone share. Sent codes are counted under it. */
  mailbox: string;
}

/** Digests of addresses and codes. */
export interface AddressDigester {
  /** The digests of the address of a channel. Null if the operator has no gateway for this type of channel. */
  of<T extends ChannelType>(type: T, config: ChannelConfig<T>): AddressDigests | null;
  /** The digest of a confirmation code. It differs for each channel and address, so the code is valid only there. */
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
