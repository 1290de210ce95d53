import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

/** Prints the address of each module that the list of commands loads. */
const program = `
import { registerHooks } from 'node:module';
registerHooks({
  load(url, context, next) {
    console.log(url);
    return next(url, context);
  },
});
await import(${JSON.stringify(new URL('../commands/index.ts', import.meta.url))});
`;

test('the list of commands loads neither the contract, the SDK, prompts, YAML nor spinners', () => {
  const { stdout, status, stderr } = spawnSync(
    process.execPath,
    ['--conditions=x-source', '--input-type=module', '--eval', program],
    { cwd: fileURLToPath(new URL('.', import.meta.url)), encoding: 'utf8' },
  );
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const loaded = stdout.trim().split('\n');
  expect(loaded.some((url) => url.endsWith('/nouns/monitors.ts'))).toBe(true);
  const packages = loaded.flatMap((url) => /\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? []);
  expect([...new Set(packages)].toSorted()).toEqual(['chalk', 'commander']);
  expect(loaded.filter((url) => url.includes('/packages/') && !url.includes('/packages/cli/'))).toEqual([]);
});
