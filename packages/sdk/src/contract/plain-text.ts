/**
 * Patterns for text that is shown on one line. They exclude control characters, line breaks, lone surrogates and
 * invisible characters. A zero-width character makes two names look alike; a bidirectional override disguises a name.
 * Zero-width joiners are allowed only where people write them: between emoji, and in the scripts that need them.
 */
const joiningScripts = 'Arab Syrc Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Khmr Mymr Mong'
  .split(' ')
  .map((script) => `\\p{scx=${script}}`)
  .join('');
const visible = '[^\\p{Cc}\\p{Cs}\\p{Default_Ignorable_Code_Point}\\u2028\\u2029]';
const joined = [
  `(?<=[${joiningScripts}])[\\u200c\\u200d](?=[${joiningScripts}])`,
  '(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f])\\u200d(?=\\p{Extended_Pictographic})',
  '[\\ufe0e\\ufe0f]',
].join('|');
const character = `(?:${visible}|${joined})`;

/** Returns the source of a pattern (flag `u`) that matches 1 to `max` characters that are not all blank. */
export const linePattern = (max: number): string =>
  `^(?=.*[^\\s\\u2800\\u200c\\u200d\\ufe0e\\ufe0f])${character}{1,${max}}$`;

/** Returns the source of a pattern (flag `u`) that matches up to `max` characters. */
export const looseLinePattern = (max: number): string => `^${character}{0,${max}}$`;

/** Compiled patterns. Compiling Unicode properties takes a millisecond, so each pattern is compiled only once. */
const made = new Map<string, RegExp>();

/** Whether a text matches a pattern. `source` is the source of the pattern. */
export function matches(source: string, text: string): boolean {
  const pattern = made.get(source) ?? new RegExp(source, 'u');
  made.set(source, pattern);
  return pattern.test(text);
}
