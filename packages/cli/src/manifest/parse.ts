import { type Document, LineCounter, parseAllDocuments } from 'yaml';
import type { Diagnostic, Place } from './diagnostic.ts';
import type { Source } from './load.ts';

/** One YAML document of a file. */
export interface ParsedDocument {
  document: Document.Parsed;
  /** Returns the place of an offset in the text of the file. */
  at: (offset: number) => Place;
  /** The text of the whole file. */
  text: string;
  /** All documents of the file, including this one. */
  siblings: readonly Document.Parsed[];
}

/** Parses a file into its YAML documents. Returns YAML errors as faults with their places. */
export function parseSource(source: Source): { documents: ParsedDocument[]; faults: Diagnostic[] } {
  const lines = new LineCounter();
  const at = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { file: source.name, line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  let documents: Document.Parsed[];
  try {
    const parsed = parseAllDocuments(source.text, {
      lineCounter: lines,
      merge: true,
      prettyErrors: false,
      logLevel: 'error',
      // The parser would compare each key with every other key. `growTree` finds equal keys in less time.
      uniqueKeys: false,
    });
    documents = Array.isArray(parsed) ? parsed : [];
  } catch (error) {
    // Thousands of nested lists exceed the stack.
    const reason = error instanceof RangeError ? 'it is nested too deeply' : (error as Error).message;
    return { documents: [], faults: [{ file: source.name, line: 1, column: 1, message: `cannot be read: ${reason}` }] };
  }
  const faults = documents.flatMap(({ errors }) =>
    errors.map(({ pos, message, code }) => ({ ...at(pos[0]), message: inWords(code, message) })),
  );
  return { documents: documents.map((document) => ({ document, at, text: source.text, siblings: documents })), faults };
}

function inWords(code: string, message: string): string {
  if (code === 'RESOURCE_EXHAUSTION') return 'is nested too deeply to be read';
  if (code === 'TAB_AS_INDENT') return 'YAML must be indented with spaces, not tabs';
  return `not valid YAML: ${message[0]?.toLowerCase() ?? ''}${message.slice(1)}`;
}
