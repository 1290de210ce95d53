/**
 * Shortens a text to at most `atMost` characters, counted as UTF-16 units. No provider's way of counting finds more
 * characters in a text. A shortened text ends in an ellipsis. Each character is escaped separately, so that neither a
 * surrogate pair nor an escape sequence is split.
 */
export function cut(text: string, atMost: number, escape: (character: string) => string = same): string {
  const characters = Array.from(text, escape);
  const whole = characters.join('');
  if (whole.length <= atMost) return whole;
  let kept = '';
  for (const character of characters) {
    if (kept.length + character.length >= atMost) break;
    kept += character;
  }
  return `${kept}…`;
}

const same = (character: string) => character;
