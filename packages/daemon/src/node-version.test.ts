import { expect, test } from 'vitest';
import { requireNode } from './node-version.ts';

test.each([
  ['18.20.0', 1],
  ['22.21.9', 1],
  ['22.22.0', null],
  ['23.11.0', 1],
  ['24.14.0', 1],
  ['24.15.0', null],
  ['25.9.0', 1],
  ['26.0.0', null],
  ['27.1.0', null],
])('on Node %s, requireNode ends the program with the exit code %s (null: the program continues)', (node, expected) => {
  let written = '';
  let code: number | null = null;
  const host = {
    ...process,
    versions: { ...process.versions, node },
    stderr: { ...process.stderr, write: (text: string) => ((written += text), true) },
    exit: (given: number) => void (code = given),
  } as typeof process;
  requireNode('uptimed', host);
  expect(code).toBe(expected);
  expect(written).toBe(
    expected === null ? '' : `uptimed needs Node 22.22, 24.15, or 26 and newer; this is Node ${node}.\n`,
  );
});
