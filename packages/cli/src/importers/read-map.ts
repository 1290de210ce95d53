import { isMap as isYamlMap, isSeq, LineCounter, type Node, parseDocument } from 'yaml';
import { CliError } from '../exit.ts';
import { plain } from '../output.ts';
import type { ImportFile, ImportSource } from './importer.ts';
import { isMap, type Values } from './parse-data.ts';

/** The place at which a map begins. */
export interface Place {
  line: number;
  /** The name of the file if the import reads several files; otherwise null. */
  file: string | null;
}

/** The place of each map in the imported files. */
export type Places = WeakMap<object, Place>;

type Format = 'YAML' | 'JSON';

/**
 * Reads a YAML or JSON file as a map, and records the places of all maps in it. Merges the files of a folder into one
 * map, as Gatus does. Throws a CliError for any other content, even if it is deeply nested or hostile.
 */
export async function readMap(source: ImportSource, format: Format, expected: string, places: Places): Promise<Values> {
  if (source.files === undefined) {
    const data = await parse(source, format, (line) => ({ line, file: null }), places);
    if (isMap(data)) return data;
    throw wrongFile(source, expected);
  }
  let all: Values = {};
  for (const file of source.files) {
    const data = await parse(file, format, (line) => ({ line, file: file.name }), places);
    if (isMap(data)) all = merged(all, data, file);
    else if (data !== null) throw wrongFile(file, expected);
  }
  return all;
}

export const wrongFile = ({ name }: ImportFile, expected: string): CliError =>
  new CliError(`${name} is not the right kind of file: expected ${expected}`, {
    exit: 'usage',
    next: '`uptime import --help` lists the kinds of files',
  });

async function parse(
  file: ImportFile,
  format: Format,
  placeAt: (line: number) => Place,
  places: Places,
): Promise<unknown> {
  const text = await file.text();
  try {
    const lineCounter = new LineCounter();
    const options = { merge: true, prettyErrors: false, logLevel: 'error', lineCounter } as const;
    const place = ({ range }: Node) => placeAt(lineCounter.linePos(range?.[0] ?? 0).line);
    if (format === 'JSON') {
      const data = JSON.parse(text) as unknown;
      // JSON is also valid YAML. So the YAML parser can find the line of each map.
      recordPlaces(parseDocument(text, { ...options, uniqueKeys: false }).contents, data, place, places);
      return data;
    }
    const document = parseDocument(text, options);
    const [error] = document.errors;
    if (error?.code === 'MULTIPLE_DOCS') throw new Error('it has several documents, and one is expected');
    if (error?.code === 'RESOURCE_EXHAUSTION') throw new Error(tooDeep);
    if (error) throw error;
    const data = document.toJS({ maxAliasCount: 100 }) as unknown;
    recordPlaces(document.contents, data, place, places);
    return data;
  } catch (error) {
    const why = error instanceof RangeError ? tooDeep : plain((error as Error).message);
    throw new CliError(`${file.name} is not valid ${format}: ${why.slice(0, 300)}`, { exit: 'usage', cause: error });
  }
}

const tooDeep = 'it is nested too deeply';

/** Records the place of each map in a file. Maps that an alias repeats are left out. */
function recordPlaces(node: unknown, data: unknown, placeOf: (node: Node) => Place, places: Places): void {
  if (isYamlMap(node) && isMap(data)) {
    places.set(data, placeOf(node));
    for (const { key, value } of node.items) recordPlaces(value, data[String(key)], placeOf, places);
  } else if (isSeq(node) && Array.isArray(data)) {
    node.items.forEach((item, i) => recordPlaces(item, data[i], placeOf, places));
  }
}

/**
 * Merges the map of another file into `all`: maps by key, and lists one after the other. Any other value must be equal
 * in both files.
 */
function merged(all: Values, more: Values, file: ImportFile, path = ''): Values {
  const result = new Map(Object.entries(all));
  for (const [key, value] of Object.entries(more)) {
    const before = result.get(key);
    if (before == null) result.set(key, value);
    else if (isMap(before) && isMap(value)) result.set(key, merged(before, value, file, `${path}${key}.`));
    else if (Array.isArray(before) && Array.isArray(value))
      result.set(key, [...(before as unknown[]), ...(value as unknown[])]);
    else if (value !== null && value !== before) {
      throw new CliError(`${file.name} changes \`${plain(path + key)}\`, which another file of the folder sets`, {
        exit: 'usage',
        next: 'set it in only one of the files, as Gatus expects',
      });
    }
  }
  return Object.fromEntries(result);
}
