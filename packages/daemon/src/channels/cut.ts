/** At most so many characters, the last an ellipsis where something was cut; never half of a surrogate pair. */
export function cut(text: string, atMost: number): string {
  const characters = Array.from(text);
  return characters.length <= atMost ? text : `${characters.slice(0, atMost - 1).join('')}…`;
}
