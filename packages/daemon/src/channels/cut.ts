/**
 * Shortens a text to at most `maxCharacters` characters, counted in UTF-16 units. Some providers count characters in
 * another way, but never get a larger number. A shortened text ends in an ellipsis. Each character is escaped
 * separately, so that neither a surrogate pair nor an escape sequence is split.
 */
export function cut(text: string, maxCharacters: number, escape: (character: string) => string = same): string {
  const characters = Array.from(text, escape);
  const whole = characters.join('');
  if (whole.length <= maxCharacters) return whole;
  let kept = '';
  for (const character of characters) {
    if (kept.length + character.length >= maxCharacters) break;
    kept += character;
  }
  return `${kept}…`;
}

const same = (character: string) => character;
