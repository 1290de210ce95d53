import { isPlainHeader, type MonitorFields } from '@uptime/sdk/contract';
import { createBlot } from '../core/blot.ts';

/** A longer body is not taken apart: what a target repeats of it in one line is little. */
const longestBody = 2000;
/** Characters of one message that are looked through: fewer than 300 of them are kept. */
const longestMessage = 4000;

type Sent = Pick<MonitorFields<'http'>, 'url' | 'headers' | 'body'>;

/**
 * Takes the secrets that a check sends out of what its target says, such as a redirect with a token in its address. Null
 * for a monitor that sends none.
 */
export function hideSecretsOf(monitor: Sent): ((text: string) => string) | null {
  const texts = secretTexts(monitor);
  if (texts.length === 0) return null;
  const { blot } = createBlot(texts);
  return (text) => blot(text.slice(0, longestMessage));
}

/** The texts to hide. Host names arrive in small letters. */
function secretTexts({ url, headers, body }: Sent): string[] {
  const { username = '', password = '' } = URL.parse(url) ?? {};
  const values = Object.entries(headers).flatMap(([name, value]) => (isPlainHeader(name) ? [] : [value]));
  const words = values.flatMap((value) => value.split(/[\s;,="]+/)).filter(looksSecret);
  const logins = [`${username}:${password}`, ...words.map(decoded)].filter((text) => /.:/s.test(text));
  return [
    ...values,
    ...words,
    ...logins.flatMap((login) => [btoa(login), login.slice(login.indexOf(':') + 1)]),
    ...(body === null || body.length > longestBody ? [] : textsIn(body).filter(looksSecret)),
  ]
    .filter((text) => text.length > 3)
    .flatMap((text) => [text, text.toLowerCase()]);
}

/** Texts like this are words, and no secrets. */
const looksSecret = (text: string): boolean => text.length >= 6 && !/^[a-z-]{1,11}$/i.test(text);

/** Decodes a word of the Basic scheme; empty for others. */
const decoded = (word: string): string => {
  const text = Buffer.from(word, 'base64').toString('latin1');
  return /^[\x20-\x7e\x80-\xff]+$/.test(text) ? text : '';
};

/** The texts in a body of JSON, the values of a form, and any other body as a whole. */
function textsIn(body: string): string[] {
  try {
    const texts: string[] = [];
    JSON.parse(body, (_, value: unknown) => void (typeof value === 'string' && texts.push(value)));
    return texts;
  } catch {
    return [body, ...new URLSearchParams(body).values()];
  }
}
