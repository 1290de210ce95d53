/**
 * Patterns for text that is shown on one line. They exclude control characters, line breaks, lone surrogates and
 * invisible characters. A zero-width character makes two names look alike; a bidirectional override disguises a name.
 * Joiners are allowed where people write them: between emoji, and in the scripts that need them.
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

/** Matches 1 to `max` characters that are not all blank. */
export const linePattern = (max: number): RegExp =>
  new RegExp(`^(?=.*[^\\s\\u2800\\u200c\\u200d\\ufe0e\\ufe0f])${character}{1,${max}}$`, 'u');

/** Matches up to `max` characters. */
export const looseLinePattern = (max: number): RegExp => new RegExp(`^${character}{0,${max}}$`, 'u');
