import { isPlainHeader, type MonitorFields, secretMask, secretsInAddress } from '@uptime/sdk/contract';
import { unescape } from 'node:querystring';
import { createRedactor } from '../core/redactor.ts';

/** In a longer body, only single words are masked. To mask whole values of its JSON or form data would cost more. */
const maxBodyLength = 2000;
/** The characters that separate the words of bodies and messages. */
const separators = /[\s"'`{}[\]():;,=&<>\\/?#|]+/;
/** Only this many characters of a message are searched, because at most 300 of them are kept. */
const maxMessageLength = 4000;

type Sent = Pick<MonitorFields<'http'>, 'url' | 'headers' | 'body'>;

/**
 * Returns a function that masks the secrets of a check in the target's own texts, such as a redirect with a token in
 * its address. Returns null for a monitor that sends no secret.
 */
export function hideSecretsOf(monitor: Sent): ((text: string) => string) | null {
  const texts = secretTexts(monitor);
  const words = wordsOfLongBody(monitor.body ?? '');
  if (texts.length === 0 && words.size === 0) return null;
  const { redact } = createRedactor(texts);
  return (text) => {
    const hidden = redact(text.slice(0, maxMessageLength));
    if (words.size === 0) return hidden;
    const repeated = hidden.split(separators).filter((word) => words.has(word));
    return repeated.reduce((left, word) => left.replaceAll(word, secretMask), hidden);
  };
}

/** Returns the words of a long body that may be secrets, as written and in lower case. */
function wordsOfLongBody(body: string): Set<string> {
  const words = body.length > maxBodyLength ? body.split(separators).filter(looksSecret) : [];
  return new Set(words.flatMap((word) => [word, word.toLowerCase()]));
}

/**
 * Returns the texts to mask in messages, as written and in lower case. A target may repeat a text in lower case, as
 * part of a host name.
 */
function secretTexts({ url, headers, body }: Sent): string[] {
  const { username = '', password = '' } = URL.parse(url) ?? {};
  const values = Object.entries(headers).flatMap(([name, value]) => (isPlainHeader(name) ? [] : [value]));
  const ofAddress = secretsInAddress(url).map(({ start, end }) => url.slice(start, end));
  const words = values.flatMap((value) => value.split(/[\s;,="]+/)).filter(looksSecret);
  const logins = [`${username}:${password}`, ...words.map(decoded)].filter((text) => /.:/s.test(text));
  return [
    ...values,
    ...ofAddress.flatMap((text) => [text, unescape(text)]),
    ...words,
    ...logins.flatMap((login) => [btoa(login), login.slice(login.indexOf(':') + 1)]),
    ...(body === null || body.length > maxBodyLength ? [] : textsIn(body).filter(looksSecret)),
  ]
    .filter((text) => text.length > 3)
    .flatMap((text) => [text, text.toLowerCase()]);
}

/** Whether a text may be a secret. Short texts and ordinary words are not. */
const looksSecret = (text: string): boolean => text.length >= 6 && !/^[a-z-]{1,11}$/i.test(text);

/** Decodes a word of the Basic scheme. Returns an empty text for other words. */
const decoded = (word: string): string => {
  const text = Buffer.from(word, 'base64').toString('latin1');
  return /^[\x20-\x7e\x80-\xff]+$/.test(text) ? text : '';
};

/**
 * Returns the texts in a JSON body, and the words of these texts. Any other body is read as form data: returns the
 * whole body, the values of the fields, and the words of the body.
 */
function textsIn(body: string): string[] {
  try {
    const texts: string[] = [];
    JSON.parse(body, (_, value: unknown) => void (typeof value === 'string' && texts.push(value)));
    return [...texts, ...texts.flatMap((text) => text.split(separators))];
  } catch {
    return [body, ...new URLSearchParams(body).values(), ...body.split(separators)];
  }
}
