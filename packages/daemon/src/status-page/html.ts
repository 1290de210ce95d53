import { escapeHtml } from '../escape-html.ts';

/** A text that is HTML, so templates do not escape it. */
export interface Html {
  html: string;
}

type Part = Html | string | number | null | readonly Part[];

/**
 * The tag of HTML templates. It escapes each part of a template, unless the part itself is HTML. Parts may appear in
 * text and in attribute values in double quotes. Null becomes an empty text, and a list becomes its items in order.
 */
export const html = (strings: TemplateStringsArray, ...parts: readonly Part[]): Html => ({
  html: strings.map((text, index) => unindented(text) + (index < parts.length ? written(parts[index]!) : '')).join(''),
});

/** Removes the indentation and the empty lines of the source. */
const unindented = (text: string) => (text.includes('\n') ? text.replaceAll(/\n\s+/g, '\n') : text);

function written(part: Part): string {
  if (part === null) return '';
  if (typeof part === 'string') return escapeHtml(part);
  if (typeof part === 'number') return String(part);
  return isList(part) ? part.map(written).join('') : part.html;
}

const isList = (part: Html | readonly Part[]): part is readonly Part[] => Array.isArray(part);
