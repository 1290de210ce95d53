import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { exactlyTimed } from './exactly-timed.ts';
import { long } from './long-first.ts';

const root = resolve(import.meta.dirname, '../..');

test.each([
  ['passed tests', `test('a', () => {}); test('b', () => {});`, '2 passed, 0 failed', 0],
  ['failed tests', `test('a', () => {}); test('b', () => { throw new Error('no'); });`, '1 passed, 1 failed', 1],
  ['a skipped test as failed', `test('a', () => {}); test.skip('b', () => {});`, '1 passed, 1 failed', 1],
  ['a todo test as failed', `test('a', () => {}); test.todo('b');`, '1 passed, 1 failed', 1],
  ['a file that does not load as failed', `throw new Error('no');`, '0 passed, 1 failed', 1],
  [
    'an unhandled rejection as a failed test',
    `test('a', () => void Promise.reject(new Error('no')));`,
    '1 passed, 1 failed',
    1,
  ],
])('npm test counts %s; its last line and its exit code show this', (_what, code, line, exit) => {
  const ended = runTests(code);
  const lines = ended.stdout.trimEnd().split('\n');
  expect(lines.at(-1), ended.stdout + ended.stderr).toBe(line);
  expect(lines.filter((text) => /^\d+ passed, \d+ failed$/.test(text))).toHaveLength(1);
  expect(ended.status).toBe(exit);
});

test.each(long)('the path %s of long-first.ts exists', (path) => {
  expect(existsSync(join(root, path))).toBe(true);
});

test('exactlyTimed lists each test file that uses boundMs', () => {
  const found = globSync(['packages/*/src/**/*.test.ts', 'test/**/*.test.ts', 'scripts/**/*.test.ts'], { cwd: root })
    .filter((file) => readFileSync(join(root, file), 'utf8').match(/^import .*\/bound-ms\.ts';$/m))
    .toSorted();
  expect(found).toEqual(exactlyTimed.toSorted());
});

test('the files that tests write are in a folder of the run, which is removed at the end of the run', () => {
  const ended = runTests(`
    import { mkdtempSync } from 'node:fs';
    import { tmpdir } from 'node:os';
    test('a', () => console.log('made', mkdtempSync(tmpdir() + '/left-')));`);
  const made = /made (\/\S+)/.exec(ended.stdout)?.[1];
  expect(made, ended.stdout + ended.stderr).toMatch(/\/uptime-tests-\w+\/left-/);
  expect(existsSync(dirname(made!))).toBe(false);
});

test('npm test does not count tests that a name filter excludes', () => {
  const ended = runTests(`test('a', () => {}); test('b', () => {});`, '-t', 'a');
  expect(ended.stdout.trimEnd().split('\n').at(-1)).toBe('1 passed, 0 failed');
  expect(ended.status).toBe(0);
});

test.each([
  ['there is no test', '', []],
  ['a name filter excludes all tests', `test('a', () => {});`, ['-t', 'b']],
])('npm test fails if %s', (_, code, args) => {
  const ended = runTests(code, ...args);
  expect(ended.stdout.trimEnd().split('\n').at(-1)).toBe('0 passed, 1 failed');
  expect(ended.status).toBe(1);
});

/** Runs scripts/test.mjs over a folder with one file of tests. */
function runTests(code: string, ...args: string[]) {
  mkdirSync(join(root, 'dist'), { recursive: true });
  // The folder must be inside the repository, where Node finds `vitest`.
  const folder = mkdtempSync(join(root, 'dist', '.tests-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'vitest.config.mjs'), `export default { test: { include: ['*.case.mjs'] } };\n`);
  writeFileSync(join(folder, 'one.case.mjs'), `import { test } from 'vitest';\n${code}\n`);
  const { PATH = '' } = process.env;
  return spawnSync(process.execPath, [join(root, 'scripts/test.mjs'), '--root', folder, '--project', '*', ...args], {
    cwd: root,
    env: { PATH, NO_COLOR: '1' },
    encoding: 'utf8',
  });
}
