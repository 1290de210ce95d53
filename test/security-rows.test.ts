import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '..');
const daemon = 'packages/daemon/src';

interface Row {
  defence: string;
  /** The texts in backticks in the last column of the row. */
  proofs: string[];
}

/** Returns the rows of all tables of defences in docs/security.md. */
function rows(): Row[] {
  const text = readFileSync(join(root, 'docs/security.md'), 'utf8');
  const defended = text.split('## What is defended, and how')[1]?.split('\n## ')[0] ?? '';
  return defended
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| defence'))
    .map((line) => {
      const cells = line.split('|').slice(1, -1);
      return {
        defence: cells[0]!.trim(),
        proofs: [...cells.at(-1)!.matchAll(/`([^`]+)`/g)].map(([, proof]) => proof!),
      };
    });
}

/** Whether a test or a folder with tests exists. A path begins at the daemon's sources or at the repository's root. */
function hasTest(path: string): boolean {
  const file = existsSync(join(root, path.split('/')[0]!)) ? path : `${daemon}/${path}`;
  const pattern = file.endsWith('/') ? `${file}*.test.ts` : file;
  return globSync(pattern, { cwd: root }).length > 0;
}

test('every defence in docs/security.md names at least one test, and each named test exists', () => {
  const found = rows();
  expect(found.length).toBeGreaterThan(50);
  const commands = /^npm run |^\.ci\//;
  const wrong = found.flatMap(({ defence, proofs }) => {
    const missing = proofs.filter((proof) => !commands.test(proof) && !hasTest(proof));
    return proofs.length === 0 ? [`no test: ${defence}`] : missing.map((proof) => `${proof}: ${defence}`);
  });
  expect(wrong).toEqual([]);
});
