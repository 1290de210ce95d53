import type { GatewayKind } from './message-budget.ts';

/** Digits at the end of a phone number that tell one phone from another, with or without a trunk zero before them. */
const subscriberDigits = 9;

/** The forms of an address in which addresses are compared. */
export interface Spellings {
  /** The address without differences of upper and lower case. */
  address: string;
  /**
   * One text for all addresses that lead to one mailbox or phone: it lacks the tags and dots of a mail address. A few
   * other addresses may share it. Limits count by it, so that another spelling of an address gets no limit of its own.
   */
  mailbox: string;
}

/** How a mail address, or a phone number in E.164 form, is compared. */
export function spellingsOf(kind: GatewayKind, given: string): Spellings {
  if (kind === 'phone') return { address: given, mailbox: given.replace(/\D/g, '').slice(-subscriberDigits) };
  const written = given.toLowerCase();
  const at = written.lastIndexOf('@');
  // A dot at the end names the same domain.
  const [name, domain] = [written.slice(0, at), written.slice(at + 1).replace(/\.+$/, '')];
  const address = `${name}@${domain}`;
  const mailbox = name.replace(/[+].*$/, '').replaceAll('.', '');
  // A name that is only a tag is compared as it is.
  return { address, mailbox: `${mailbox || name}@${sameDomains[domain] ?? domain}` };
}

/** Domains of one provider whose addresses lead to the same mailboxes. */
const sameDomains: Partial<Record<string, string>> = {
  'googlemail.com': 'gmail.com',
  'pm.me': 'protonmail.com',
  'proton.me': 'protonmail.com',
  'ya.ru': 'yandex.ru',
  'yandex.com': 'yandex.ru',
};
