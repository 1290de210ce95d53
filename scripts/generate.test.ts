import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

test('every generated file is up to date', () => {
  const script = join(import.meta.dirname, 'generate.ts');
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--conditions=x-source', script, '--check'], {
    encoding: 'utf8',
  });
  expect({ stdout, stderr, status }).toEqual({ stdout: '', stderr: '', status: 0 });
});
