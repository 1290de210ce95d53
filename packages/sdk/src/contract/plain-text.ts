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

/** A pattern costs V8 a millisecond, because of the properties of Unicode. So fields of one length share it. */
const madePatterns = new Map<string, RegExp>();
const pattern = (source: string): RegExp => {
  const made = madePatterns.get(source) ?? new RegExp(source, 'u');
  madePatterns.set(source, made);
  return made;
};

/** Matches 1 to `max` characters that are not all blank. */
export const linePattern = (max: number): RegExp =>
  pattern(`^(?=.*[^\\s\\u2800\\u200c\\u200d\\ufe0e\\ufe0f])${character}{1,${max}}$`);

/** Matches up to `max` characters. */
export const looseLinePattern = (max: number): RegExp => pattern(`^${character}{0,${max}}$`);
