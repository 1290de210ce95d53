import { unicodeEscape } from '../output.ts';

/**
 * Characters that change the direction of the text after them. With them, people could see a different text than
 * programs read.
 */
const bidirectional = /[\u202A-\u202E\u2066-\u2069\u200E\u200F\u061C]/g;

/** Shows a code in place of each character that changes the direction of text, so that readers notice it. */
export const visible = (text: string): string => text.replace(bidirectional, unicodeEscape);

/** Returns text in a Markdown block of code. The fence is so long that the text cannot end the block. */
export function fenced(text: string, language: string): string {
  const runs = [...text.matchAll(/`+/g)].map(([run]) => run.length);
  const fence = '`'.repeat(Math.max(3, ...runs.map((length) => length + 1)));
  return `${fence}${language}\n${visible(text)}\n${fence}`;
}

/** Changes a text for the log of GitHub Actions, so that no line in it is executed as a workflow command. */
export const withoutCommands = (text: string): string =>
  text.replace(/##\[/g, '## [').replace(/^(\s*):(?=:)/gm, '$1:\u200B');

/** Escapes the message of a workflow command of GitHub Actions. */
export const commandText = (text: string): string =>
  visible(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A').replaceAll('##[', '## [');

/** Escapes a property of a workflow command of GitHub Actions. */
export const commandProperty = (text: string): string =>
  commandText(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
