import type { GatewayKind } from './message-budget.ts';

/**
 * How many digits at the end identify a phone number. The digits before them are the country code, and perhaps an extra
 * zero.
 */
const subscriberDigits = 9;

/** Two forms of an address, by which addresses are compared. */
export interface Spellings {
  /** The same text for all spellings of one address. A mail address is in lower case, without dots after its domain. */
  address: string;
  /**
   * The same text for all addresses of one mailbox or phone. A mail address lacks its tag and the dots of its name. A
   * few addresses of other mailboxes may get the same text. Limits count by this text, so another spelling of an
   * address gets no limit of its own.
   */
  mailbox: string;
}

/** Returns both forms of a mail address, or of a phone number in E.164 form. */
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

/** Other domains of a mail provider, with the main domain. An address leads to the same mailbox under both. */
const sameDomains: Partial<Record<string, string>> = {
  'googlemail.com': 'gmail.com',
  'pm.me': 'protonmail.com',
  'proton.me': 'protonmail.com',
  'ya.ru': 'yandex.ru',
  'yandex.com': 'yandex.ru',
};
