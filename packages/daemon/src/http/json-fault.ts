/** Deepest nesting of a body that is read: no body of the interface has more than a few levels. */
export const maxJsonDepth = 64;

/**
 * What is wrong with well-formed JSON all the same, as a message; null where nothing is. A key that comes twice in an
 * object is read by some as its first value and by others as its last: whoever sends it does not know what is taken.
 */
export function jsonFault(text: string): string | null {
  // For each object or array that is open: the keys seen so far; null for an array.
  const open: (Set<string> | null)[] = [];
  let isKey = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '"') {
      const from = at;
      for (at++; text[at] !== '"'; at++) if (text[at] === '\\') at++;
      if (!isKey) continue;
      const key = JSON.parse(text.slice(from, at + 1)) as string;
      const keys = open.at(-1)!;
      if (keys.has(key)) return `must not have a key twice: ${JSON.stringify(key.slice(0, 63))}`;
      keys.add(key);
      isKey = false;
    } else if (character === '{' || character === '[') {
      if (open.length === maxJsonDepth) return `must not be nested more than ${maxJsonDepth} levels deep`;
      isKey = character === '{';
      open.push(isKey ? new Set() : null);
    } else if (character === '}' || character === ']') {
      open.pop();
      isKey = false;
    } else if (character === ',') {
      isKey = open.at(-1) !== null;
    }
  }
  return null;
}
