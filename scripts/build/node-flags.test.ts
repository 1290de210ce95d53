import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { nodeFlags } from './node-flags.ts';

/**
 * A program that counts Node's own modules. It prints how many came from the compiled code inside Node, and how many
 * had to be compiled.
 */
const countModules = `
const { internalBinding } = require('internal/test/binding');
require('node:https');
const { compiledWithCache, compiledWithoutCache } = internalBinding('builtins').getCacheUsage();
console.log(JSON.stringify({ taken: compiledWithCache.size, compiled: compiledWithoutCache.size }));`;

const count = (flags: readonly string[]): unknown => {
  const args = [...flags, '--no-warnings', '--expose-internals', '--eval', countModules];
  return JSON.parse(spawnSync(process.execPath, args, { encoding: 'utf8' }).stdout);
};

test('with the flags of the executable, Node compiles none of its own modules', () => {
  expect(count(nodeFlags)).toEqual({ taken: expect.toSatisfy((taken: number) => taken > 10), compiled: 0 });
  // For comparison: with one more flag, Node uses none of its compiled code.
  expect(count([...nodeFlags, '--expose-gc'])).toMatchObject({ taken: 0 });
});
