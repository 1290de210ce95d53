import { unescape } from 'node:querystring';
import { secretMask } from '@uptime/sdk/contract';
import { findTexts } from './find-texts.ts';

/** Whether a part of an address is a word, such as `services` or `v1`, and not a secret. */
const isWord = (part: string) => part.length < 6 || /^[a-z-]{1,11}$/.test(part);
/** How many levels of nested encodings are decoded. JSON inside a form inside JSON has three levels. */
const depth = 4;
/** Maximum number of characters that encode one character, as in `\u0026`. */
const maxFormLength = 6;

/**
 * Returns `redact`, which masks secrets in a provider's text. A provider may quote the request in its answer, so
 * `redact` also finds secrets that are encoded, and parts of secret addresses. Its time grows with the length of the
 * text and of the secrets, not with their product. `longest` is the largest length of an encoded secret.
 */
export function createRedactor(secrets: readonly string[]): { redact: (text: string) => string; longest: number } {
  const parts = [...new Set(secrets.flatMap(partsOf))].filter((part) => part !== '');
  const wanted = parts.flatMap((part) => [part, unescape(part)]).flatMap((part) => [part, asBytes(part)]);
  let find: ReturnType<typeof findTexts> | null = null;
  return {
    redact(text) {
      if (parts.length === 0) return text;
      find ??= findTexts([...new Set(wanted.map(asBlank))]);
      /**
       * Each secret adds 1 at its beginning, and subtracts 1 at its end. A character is masked if the sum of all
       * numbers up to the character is above 0.
       */
      const edges = new Int32Array(text.length + 1);
      let written = asWritten(text);
      for (let form = 0; form <= depth; form++) {
        const { places } = written;
        find(asBlank(written.text), (end, length) => {
          edges[places[end - length]!]! += 1;
          edges[places[end]!]! -= 1;
        });
        const inner = decodeOnce(written);
        if (inner.text === written.text) break;
        written = inner;
      }
      return withoutHidden(text, edges);
    },
    longest: Math.max(0, ...parts.map((part) => part.length)) * maxFormLength,
  };
}

/**
 * Returns the text with a space in place of each plus sign. HTML forms encode a space as a plus sign, so the search
 * must treat both as the same character.
 */
const asBlank = (text: string): string => text.replaceAll('+', ' ');

/**
 * Returns the texts to mask for a secret. If the secret is an address, its parts are masked too, because the error
 * messages of servers often contain the requested path.
 */
function partsOf(secret: string): string[] {
  const url = /^https?:/i.test(secret) ? URL.parse(secret) : null;
  if (!url) return [secret];
  const { href, pathname, search, searchParams, username, password } = url;
  const parts = [`${pathname}${search}`, ...pathname.split('/'), search, ...searchParams.values()];
  return [secret, href, ...parts.filter((part) => !isWord(part)), username, password];
}

/**
 * A decoded text. `places` has the position in the original text for each character of `text`, and one more position
 * for the end.
 */
interface Written {
  text: string;
  places: number[];
}

const asWritten = (text: string): Written => ({ text, places: Array.from({ length: text.length + 1 }, (_, at) => at) });

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", '#39': "'", '#x27': "'" };

/** Decodes one level of the encodings of URLs, JSON and HTML. */
function decodeOnce({ text, places }: Written): Written {
  const inner: Written = { text: '', places: [] };
  const keep = (from: number, until: number) => {
    inner.text += text.slice(from, until);
    for (let at = from; at < until; at++) inner.places.push(places[at]!);
  };
  let read = 0;
  for (const found of text.matchAll(/%([0-9a-f]{2})|\\u([0-9a-f]{4})|\\(["'\\/])|&(amp|lt|gt|quot|apos|#39|#x27);/gi)) {
    const [whole, byte, unit, escaped, entity = ''] = found;
    const code = byte ?? unit;
    keep(read, found.index);
    inner.text +=
      code === undefined ? (escaped ?? entities[entity.toLowerCase()]!) : String.fromCharCode(parseInt(code, 16));
    inner.places.push(places[found.index]!);
    read = found.index + whole.length;
  }
  keep(read, text.length);
  inner.places.push(places.at(-1)!);
  return inner;
}

function withoutHidden(text: string, edges: Int32Array): string {
  let left = '';
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const before = depth;
    depth += edges[at]!;
    if (depth === 0) left += text[at];
    else if (before === 0) left += secretMask;
  }
  return left;
}

/**
 * Returns a text with one character for each byte of the given text. Percent-encoding encodes bytes, so the search
 * compares bytes.
 */
const asBytes = (text: string): string => Buffer.from(text).toString('latin1');
