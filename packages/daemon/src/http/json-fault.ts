import { type Fault, faultAt } from '@uptime/sdk/contract';
/** Maximum depth of nesting in a JSON body. The bodies that the API accepts have only a few levels. */
export const maxJsonDepth = 64;

/**
 * Returns a fault if an object of the text repeats a key, or if the nesting is too deep; otherwise null. The text must
 * be well-formed JSON. Some parsers take the first value of a repeated key, and other parsers take the last value. So
 * the sender could not know which value the server takes.
 */
export function jsonFault(text: string): Fault | null {
  // For each open object, the keys seen so far; for each open array, null.
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
      if (keys.has(key)) return faultAt('', 'repeated_key', { key: key.slice(0, 63) });
      keys.add(key);
      isKey = false;
    } else if (character === '{' || character === '[') {
      if (open.length === maxJsonDepth) return faultAt('', 'too_deep', { maxDepth: maxJsonDepth });
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
