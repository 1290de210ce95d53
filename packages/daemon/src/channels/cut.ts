/**
 * At most so many characters, counted as JavaScript does, which is never fewer than a provider counts; the last is an
 * ellipsis where something was cut. Each character is escaped on its own, so that neither a surrogate pair nor an
 * escape sequence is cut in two.
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
