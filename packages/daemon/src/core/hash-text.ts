/**
 * Returns a hash of a text, as an integer of 32 bits. It is FNV-1a with a final mix, so that texts that differ in one
 * digit get unrelated hashes. Another `start` gives an independent hash.
 */
export function hashText(text: string, start = 0x811c9dc5): number {
  let value = start;
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}
