/** A place in a manifest, counted from one. */
export interface Place {
  file: string;
  line: number;
  column: number;
}

/** A fault of a manifest: its place, and what was expected there. */
export interface Diagnostic extends Place {
  message: string;
}

/** `file:line:column: message`, a form that editors and CI understand. */
export const formatDiagnostic = ({ file, line, column, message }: Diagnostic): string =>
  `${file}:${line}:${column}: ${message}`;

/** Sorts by file, line and column, and removes duplicates. */
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
