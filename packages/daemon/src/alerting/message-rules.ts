import type { AddressDigester } from './confirmations/address-digests.ts';
import { type MessageLimits, noMessageLimits } from './message-budget/message-limits.ts';

/** The rules for messages that go through the operator's gateways: mail, SMS and calls. */
export interface MessageRules {
  limits: MessageLimits;
  /** Whether an address has to be confirmed by a code before anything else is sent to it. */
  confirmsAddresses: boolean;
}

export const noMessageRules: MessageRules = { limits: noMessageLimits, confirmsAddresses: false };

/** Message rules, with the digester that makes the stored digests of addresses. */
export interface AddressRules extends MessageRules {
  addresses: AddressDigester;
}
