import { stripVTControlCharacters } from 'node:util';
import type { Io } from './io.ts';

export const formats = ['table', 'json', 'yaml'] as const;
export type Format = (typeof formats)[number];

/** Prints data as a table for people, or as JSON or YAML for programs. */
export async function output(io: Io, format: Format, data: unknown, table: () => string): Promise<void> {
  if (format === 'json') io.print(escapeControls(JSON.stringify(data, null, 2)));
  else if (format === 'yaml') {
    const { yamlText } = await import('./yaml-text.ts');
    io.print(escapeControls(yamlText(data)).trimEnd());
  } else {
    const text = table();
    if (text !== '') io.print(text);
  }
}

/**
 * Escapes DEL and C1 control characters, so that they cannot move the cursor. The libraries for JSON and YAML do not
 * escape them.
 */
export const escapeControls = (text: string): string => text.replace(/[\u007f-\u009f]/g, unicodeEscape);

/**
 * Returns a character below U+10000 as JSON escapes it, such as `\u009b`. The daemon's log has the same expression. The
 * two programs share only the contract, which commands do not load at their start.
 */
export const unicodeEscape = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Returns lines of the form `name: value`, with all values in the same column. */
export function pairs(entries: readonly (readonly [string, string])[]): string {
  const widest = Math.max(...entries.map(([title]) => title.length));
  return entries.map(([title, value]) => `${`${title}:`.padEnd(widest + 2)}${plain(value)}`.trimEnd()).join('\n');
}

/**
 * Makes text from a server or a file safe for a terminal. Removes escape sequences, and turns tabs into spaces. Every
 * line break and every other control character becomes U+FFFD, so that people notice it.
 */
export const plain = (text: string): string =>
  stripVTControlCharacters(text).replace(/[\p{Cc}\u2028\u2029]/gu, (char) => (char === '\t' ? ' ' : '\uFFFD'));
