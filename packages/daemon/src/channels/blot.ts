import { unescape } from 'node:querystring';

const blotted = '••••';
/** Parts of an address that are like this are words, such as `services` or `v1`, and no secrets. */
const isWord = (part: string) => part.length < 6 || /^[a-z-]{1,11}$/.test(part);
/** Forms that are undone one inside another: an echo of JSON in a form in JSON has three. */
const depth = 4;
/** Characters that one may be written with, such as `\u0026`. */
const longestForm = 6;

/** Blots secrets out of what a provider said, also where it says them in other forms or in part, as echoes do. */
export function createBlot(secrets: readonly string[]): { blot: (text: string) => string; longest: number } {
  const parts = [...new Set(secrets.flatMap(partsOf))].filter((part) => part !== '');
  const wanted = [...new Set(parts.flatMap((part) => [part, unescape(part)]).flatMap((part) => [part, asBytes(part)]))];
  return {
    blot(text) {
      const hidden = new Set<number>();
      let written = asWritten(text);
      for (let form = 0; form <= depth; form++) {
        for (const part of wanted) hide(hidden, written, part);
        const inner = undo(written);
        if (inner.text === written.text) break;
        written = inner;
      }
      return withoutHidden(text, hidden);
    },
    longest: Math.max(0, ...parts.map((part) => part.length)) * longestForm,
  };
}

/** An address is secret in its parts too: servers like to say which path they don't know. */
function partsOf(secret: string): string[] {
  const url = /^https?:/i.test(secret) ? URL.parse(secret) : null;
  if (!url) return [secret];
  const { href, pathname, search, searchParams, username, password } = url;
  const parts = [`${pathname}${search}`, ...pathname.split('/'), search, ...searchParams.values()];
  return [secret, href, ...parts.filter((part) => !isWord(part)), username, password];
}

/** A text, and for each of its characters where it stands in what was said; one place more, for the end. */
interface Written {
  text: string;
  places: number[];
}

const asWritten = (text: string): Written => ({ text, places: Array.from({ length: text.length + 1 }, (_, at) => at) });

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", '#39': "'", '#x27': "'" };

/** Reads what URLs, JSON and HTML write in a form of their own, once. */
function undo({ text, places }: Written): Written {
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

function hide(hidden: Set<number>, { text, places }: Written, part: string): void {
  // Forms write a blank as a plus sign.
  const [where, what] = [text.replaceAll('+', ' '), part.replaceAll('+', ' ')];
  for (let at = where.indexOf(what); at >= 0; at = where.indexOf(what, at + what.length)) {
    for (let place = places[at]!; place < places[at + what.length]!; place++) hidden.add(place);
  }
}

function withoutHidden(text: string, hidden: ReadonlySet<number>): string {
  if (hidden.size === 0) return text;
  let left = '';
  for (let at = 0; at < text.length; at++) {
    if (!hidden.has(at)) left += text[at];
    else if (!hidden.has(at - 1)) left += blotted;
  }
  return left;
}

/** As percent-encoding counts characters: by bytes. */
const asBytes = (text: string): string => Buffer.from(text).toString('latin1');
