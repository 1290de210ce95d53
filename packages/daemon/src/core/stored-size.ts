/** What a row takes besides its texts, roughly, in bytes: keys, numbers, and its places in indexes. */
export const rowBytes = 200;

/** What it takes to name a monitor or a channel in a rule, an incident or a page. */
export const memberBytes = 40;

/** What a row takes with what it names, in bytes; `columns` are those whose length people choose. */
export function storedSize(columns: object, members = 0): number {
  const texts = Object.values(columns).filter((value) => typeof value === 'string');
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text), rowBytes + memberBytes * members);
}
