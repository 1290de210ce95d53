import { type Document, LineCounter, parseAllDocuments } from 'yaml';
import type { Diagnostic, Place } from './diagnostic.ts';
import type { Source } from './load.ts';

/** One YAML document of a file. */
export interface ParsedDocument {
  document: Document.Parsed;
  /** Returns the place of an offset in the file's text. */
  at: (offset: number) => Place;
}

/** Parses a file into its documents. YAML errors become diagnostics with their places. */
export function parseSource(source: Source): { documents: ParsedDocument[]; faults: Diagnostic[] } {
  const lines = new LineCounter();
  const at = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { file: source.name, line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const parsed = parseAllDocuments(source.text, {
    lineCounter: lines,
    merge: true,
    prettyErrors: false,
    logLevel: 'error',
  });
  const documents = Array.isArray(parsed) ? parsed : [];
  const faults = documents.flatMap(({ errors }) =>
    errors.map(({ pos, message, code }) => ({ ...at(pos[0]), message: inWords(code, message) })),
  );
  return { documents: documents.map((document) => ({ document, at })), faults };
}

function inWords(code: string, message: string): string {
  if (code === 'DUPLICATE_KEY') return 'this key appears twice in one map; remove one of them';
  if (code === 'TAB_AS_INDENT') return 'YAML must be indented with spaces, not tabs';
  return `not valid YAML: ${message[0]?.toLowerCase() ?? ''}${message.slice(1)}`;
}
