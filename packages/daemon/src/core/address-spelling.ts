import type { GatewayKind } from './message-budget.ts';

/**
 * A phone number is identified by this many digits at its end. The digits before them are the country code, and perhaps
 * an extra zero.
 */
const subscriberDigits = 9;

/** Two texts made from an address. Addresses are compared by these texts. */
export interface Spellings {
  /**
   * This text is the same for all spellings of one address. For a mail address, it is in lower case, without dots after
   * the domain.
   */
  address: string;
  /**
   * This text is the same for all addresses of one mailbox or phone. For a mail address, it leaves out the tag and the
   * dots in the name. Addresses of different mailboxes may get the same text, but rarely. Limits count messages by this
   * text, so another spelling of an address does not get a limit of its own.
   */
  mailbox: string;
}

/** Returns both texts for a mail address, or for a phone number in E.164 format. */
export function spellingsOf(kind: GatewayKind, given: string): Spellings {
  if (kind === 'phone') return { address: given, mailbox: given.replace(/\D/g, '').slice(-subscriberDigits) };
  const written = given.toLowerCase();
  const at = written.lastIndexOf('@');
  // A dot after a domain makes no difference: `example.com.` is `example.com`.
  const [name, domain] = [written.slice(0, at), written.slice(at + 1).replace(/\.+$/, '')];
  const address = `${name}@${domain}`;
  const mailbox = name.replace(/[+].*$/, '').replaceAll('.', '');
  // If the name is only a tag, such as `+tag`, nothing would remain without the tag. So the tag stays.
  return { address, mailbox: `${mailbox || name}@${sameDomains[domain] ?? domain}` };
}

/**
 * Maps another domain of a mail provider to the provider's main domain. A name has the same mailbox under both domains.
 */
const sameDomains: Partial<Record<string, string>> = {
  'googlemail.com': 'gmail.com',
  'pm.me': 'protonmail.com',
  'proton.me': 'protonmail.com',
  'ya.ru': 'yandex.ru',
  'yandex.com': 'yandex.ru',
};
