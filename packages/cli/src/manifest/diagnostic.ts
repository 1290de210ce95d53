/** A place in a manifest. Lines and columns begin at 1. */
export interface Place {
  file: string;
  line: number;
  column: number;
}

/** A fault of a manifest, or a warning about it: the place, and a message. */
export interface Diagnostic extends Place {
  message: string;
}

/** Returns `file:line:column: message`, a form that editors and CI systems understand. */
export const formatDiagnostic = ({ file, line, column, message }: Diagnostic): string =>
  `${file}:${line}:${column}: ${message}`;

/**
 * Sorts diagnostics by file, line and column, and removes duplicates. Files keep the order in which they first appear.
 */
export function sortDiagnostics(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const seen = new Set<string>();
  const files = [...new Set(diagnostics.map(({ file }) => file))];
  return diagnostics
    .filter((diagnostic) => {
      const text = formatDiagnostic(diagnostic);
      return !seen.has(text) && seen.add(text);
    })
    .toSorted((a, b) => files.indexOf(a.file) - files.indexOf(b.file) || a.line - b.line || a.column - b.column);
}
