/** Maximum number of bytes of data in one answer, because a model has to read all of it. */
const maxBytes = 40_000;
const maxFields = 100;

/** Data that fits into an answer, and sentences about shortened parts of it. */
export interface Bounded {
  data: unknown;
  cut: string[];
}

/**
 * Shortens the lists and texts in an answer until the answer fits. Each attempt allows half as many entries and
 * characters as the attempt before.
 */
export function bounded(value: unknown, maxRows: number): Bounded {
  let entries = maxRows;
  let characters = 2000;
  while (entries > 0) {
    const cut = new Set<string>();
    const data = shorten(value, 'data', { entries, characters, cut });
    if (Buffer.byteLength(JSON.stringify(data)) <= maxBytes) return { data, cut: [...cut].slice(0, 10) };
    entries = Math.floor(entries / 2);
    characters = Math.max(50, Math.floor(characters / 2));
  }
  return { data: null, cut: [`data: larger than ${maxBytes} bytes, even when shortened`] };
}

interface Limits {
  entries: number;
  characters: number;
  cut: Set<string>;
}

function shorten(value: unknown, path: string, limits: Limits): unknown {
  const { entries, characters, cut } = limits;
  if (typeof value === 'string') {
    if (value.length <= characters) return value;
    cut.add(`${path}: the first ${characters} characters of a text`);
    return `${value.slice(0, characters)}…`;
  }
  if (Array.isArray(value)) {
    if (value.length > entries) cut.add(`${path}: ${entries} of ${value.length} entries`);
    return value.slice(0, entries).map((entry) => shorten(entry, `${path}[]`, limits));
  }
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value);
  if (fields.length > maxFields) cut.add(`${path}: ${maxFields} of ${fields.length} fields`);
  return Object.fromEntries(
    fields.slice(0, maxFields).map(([name, inner]) => [name, shorten(inner, `${path}.${name}`, limits)]),
  );
}
