import { parseDocument } from 'yaml';
import { CliError } from '../exit.ts';
import { plain } from '../output.ts';
import type { ImportSource } from './importer.ts';

/**
 * Reads a YAML or JSON file as a map. Throws a CliError for any other content, even if it is deeply nested or hostile.
 */
export async function readMap(source: ImportSource, format: 'YAML' | 'JSON', expected: string): Promise<Values> {
  const data = parse(await source.text(), format, source.name);
  if (isMap(data)) return data;
  throw wrongFile(source, expected);
}

export const wrongFile = ({ name }: ImportSource, expected: string): CliError =>
  new CliError(`${name} is not the right kind of file: expected ${expected}`, {
    exit: 'usage',
    next: '`uptime import --help` lists the kinds of files',
  });

function parse(text: string, format: 'YAML' | 'JSON', name: string): unknown {
  try {
    if (format === 'JSON') return JSON.parse(text) as unknown;
    const document = parseDocument(text, { merge: true, prettyErrors: false, logLevel: 'error' });
    const [error] = document.errors;
    if (error) throw error;
    return document.toJS({ maxAliasCount: 100 }) as unknown;
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
