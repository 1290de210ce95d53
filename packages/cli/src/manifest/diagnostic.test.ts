import { expect, test } from 'vitest';
import { formatDiagnostic, sortDiagnostics } from './diagnostic.ts';

const at = (file: string, line: number, column: number, message = 'x') => ({ file, line, column, message });

test('formatDiagnostic returns a form that editors can read', () => {
  expect(formatDiagnostic(at('teams/a.yaml', 12, 5, '`url` is required'))).toBe('teams/a.yaml:12:5: `url` is required');
});

test('sortDiagnostics keeps the order of the files, and sorts the diagnostics of a file by the numbers of line and column', () => {
  const sorted = sortDiagnostics([at('b', 10, 1), at('a', 1, 1), at('b', 9, 20), at('b', 9, 3), at('a', 1, 1, 'y')]);
  expect(sorted.map(formatDiagnostic)).toEqual(['b:9:3: x', 'b:9:20: x', 'b:10:1: x', 'a:1:1: x', 'a:1:1: y']);
});

test('sortDiagnostics returns equal diagnostics only once', () => {
  expect(sortDiagnostics([at('a', 1, 1), at('a', 1, 2), at('a', 1, 1)])).toHaveLength(2);
  expect(sortDiagnostics([])).toEqual([]);
});
