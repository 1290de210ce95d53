import { isMap as isYamlMap, isSeq, LineCounter, type Node, parseDocument } from 'yaml';
import { CliError } from '../exit.ts';
import { plain } from '../output.ts';
import type { ImportSource } from './importer.ts';

/**
 * Reads a YAML or JSON file as a map, and records the lines of maps in YAML. Throws a CliError for any other content, even if it is deeply nested or hostile.
 */
export async function readMap(
  source: ImportSource,
  format: 'YAML' | 'JSON',
  expected: string,
  lines: WeakMap<object, number> = new WeakMap(),
): Promise<Values> {
  const data = parse(await source.text(), format, source.name, lines);
  if (isMap(data)) return data;
  throw wrongFile(source, expected);
}

export const wrongFile = ({ name }: ImportSource, expected: string): CliError =>
  new CliError(`${name} is not the right kind of file: expected ${expected}`, {
    exit: 'usage',
    next: '`uptime import --help` lists the kinds of files',
  });

function parse(text: string, format: 'YAML' | 'JSON', name: string, lines: WeakMap<object, number>): unknown {
  try {
    if (format === 'JSON') return JSON.parse(text) as unknown;
    const lineCounter = new LineCounter();
    const document = parseDocument(text, { merge: true, prettyErrors: false, logLevel: 'error', lineCounter });
    const [error] = document.errors;
    if (error?.code === 'MULTIPLE_DOCS') throw new Error('it has several documents, and one is expected');
    if (error) throw error;
    const data = document.toJS({ maxAliasCount: 100 }) as unknown;
    recordLines(document.contents, data, (node) => lineCounter.linePos(node.range?.[0] ?? 0).line, lines);
    return data;
  } catch (error) {
    const why = error instanceof RangeError ? 'it is nested too deeply' : plain((error as Error).message);
    throw new CliError(`${name} is not valid ${format}: ${why.slice(0, 300)}`, { exit: 'usage', cause: error });
  }
}

/** A map of a file, whose values may be anything. */
export type Values = Record<string, unknown>;

export const isMap = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The maps of a list; empty for anything else. */
export const mapsOf = (value: unknown): Values[] => (Array.isArray(value) ? value.filter(isMap) : []);

/** Returns a text or a number as text; undefined for anything else, and for an empty text. */
export const textOf = (value: unknown): string | undefined =>
  typeof value === 'number' || (typeof value === 'string' && value !== '') ? String(value) : undefined;

/** Returns a number, also one that is written as text. */
export function numberOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

/** Returns the entries of a map whose values are texts or numbers, as texts. */
export const textsOf = (value: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(isMap(value) ? value : {}).flatMap(([name, one]) => {
      const text = textOf(one);
      return text === undefined ? [] : [[name, text]];
    }),
  );

/** Records at which line each map in the lists and maps of a file begins. Maps that an alias repeats stay unknown. */
function recordLines(
  node: unknown,
  data: unknown,
  lineOf: (node: Node) => number,
  lines: WeakMap<object, number>,
): void {
  if (isYamlMap(node) && isMap(data)) {
    lines.set(data, lineOf(node));
    for (const { key, value } of node.items) recordLines(value, data[String(key)], lineOf, lines);
  } else if (isSeq(node) && Array.isArray(data)) {
    node.items.forEach((item, i) => recordLines(item, data[i], lineOf, lines));
  }
}
