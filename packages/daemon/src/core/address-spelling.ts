import type { GatewayKind } from './message-budget.ts';

/** Digits at the end of a phone number that tell one phone from another, with or without a trunk zero before them. */
const subscriberDigits = 9;

/** How an address is compared. */
export interface Spellings {
  /** The same for one address, whatever its upper and lower case. */
  address: string;
  /**
   * The same for all addresses that lead to one mailbox or phone, and for a few that do not: tags and dots of a mail
   * address are left out. Counts go by it, so that no other spelling of an address gets a count of its own.
   */
  mailbox: string;
}

/** How a mail address, or a phone number in E.164 form, is compared. */
export function spellingsOf(kind: GatewayKind, given: string): Spellings {
  if (kind === 'phone') return { address: given, mailbox: given.replace(/\D/g, '').slice(-subscriberDigits) };
  const address = given.toLowerCase();
  const at = address.lastIndexOf('@');
  const [name, domain] = [address.slice(0, at), address.slice(at + 1)];
  const mailbox = name.replace(/[+].*$/, '').replaceAll('.', '');
  // A name that is only a tag is compared as it is.
  return { address, mailbox: `${mailbox || name}@${domain}` };
}
