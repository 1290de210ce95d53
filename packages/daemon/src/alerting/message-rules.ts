import type { AddressDigester } from './confirmations/address-digests.ts';
import { type MessageLimits, noMessageLimits } from './message-budget/message-limits.ts';

/** The rules for messages that go through the operator's gateways: mail, SMS and calls. */
export interface MessageRules {
  limits: MessageLimits;
  /** Whether an address gets messages only after a user has confirmed it with a code that was sent there. */
  confirmsAddresses: boolean;
}

export const noMessageRules: MessageRules = { limits: noMessageLimits, confirmsAddresses: false };

/** Message rules together with the digester that computes the stored digests of addresses. */
export interface AddressRules extends MessageRules {
  addresses: AddressDigester;
}
