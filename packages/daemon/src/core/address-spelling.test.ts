import { expect, test } from 'vitest';
import { spellingsOf } from './address-spelling.ts';

const mailbox = (address: string) => spellingsOf('mail', address).mailbox;
const phone = (number: string) => spellingsOf('phone', number).mailbox;

test('mail addresses that differ only in tags, dots or upper case belong to the same mailbox', () => {
  for (const other of ['Ada@Example.com', 'ada+alerts@example.com', 'a.d.a+x+y@example.com', 'ADA@EXAMPLE.COM'])
    expect(mailbox(other), other).toBe(mailbox('ada@example.com'));
  expect(mailbox('ada@example.org')).not.toBe(mailbox('ada@example.com'));
  expect(mailbox('+tag@example.com')).not.toBe(mailbox('+other@example.com'));
});

test('mail addresses that differ only in equivalent domains or a dot at the end belong to the same mailbox', () => {
  for (const other of ['A.d.a@googlemail.com', 'ada+x@GoogleMail.com', 'ada@gmail.com.', 'ada@GMAIL.com..'])
    expect(mailbox(other), other).toBe(mailbox('ada@gmail.com'));
  expect(mailbox('ada@proton.me')).toBe(mailbox('ada@pm.me'));
  expect(spellingsOf('mail', 'ada@example.com.').address).toBe('ada@example.com');
});

test('a mail address with a tag is another address, and upper case makes no difference', () => {
  const { address } = spellingsOf('mail', 'ada@example.com');
  expect(spellingsOf('mail', 'Ada@EXAMPLE.com').address).toBe(address);
  expect(spellingsOf('mail', 'ada+alerts@example.com').address).not.toBe(address);
});

test('a phone number with an extra zero after the country code belongs to the same phone as the number without it', () => {
  expect(phone('+4901711234567')).toBe(phone('+491711234567'));
  expect(phone('+15550100')).not.toBe(phone('+15550101'));
});
