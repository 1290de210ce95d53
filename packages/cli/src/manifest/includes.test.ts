import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openIncludes } from './includes.ts';
import { createReadBudget } from './load.ts';

let folder: string;
let cwd: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'uptime-includes-'));
  cwd = join(folder, 'project');
  const files = [
    'a.yaml',
    'teams/a.yaml',
    'teams/b.yaml',
    'teams/deep/c.yaml',
    'teams/.hidden.yaml',
    'teams/[x].yaml',
    'node_modules/p/d.yaml',
    '.git/e.yaml',
    'teams/.b.yaml.77-0123abcd-0123-0123-0123-0123456789ab.tmp',
    '../project-of-others/f.yaml',
    '../outside.yaml',
  ];
  for (const name of files) {
    await mkdir(dirname(join(cwd, name)), { recursive: true });
    await writeFile(join(cwd, name), `# ${name}\n`);
  }
  await writeFile(join(cwd, 'latin1.txt'), Buffer.from('é', 'latin1'));
  await symlink('../outside.yaml', join(cwd, 'link.yaml'));
  await symlink('teams/a.yaml', join(cwd, 'inner.yaml'));
  await symlink('..', join(cwd, 'up'));
  await symlink('round.txt', join(cwd, 'round.txt'));
  await symlink('/dev/zero', join(cwd, 'device.txt'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Returns the files that `pattern` names. The file `from` contains the pattern, and `root` is the main manifest. */
function find(pattern: string, { from = 'a.yaml', root = 'a.yaml', allowOutside = false } = {}) {
  const source = (name: string) => ({ name, text: '' });
  const found = openIncludes(cwd, { allowOutside }).find(pattern, source(from), source(root), createReadBudget());
  return typeof found === 'string' ? found.replaceAll(folder, '<folder>') : found.map(({ name }) => name);
}

test.each<[string, string, string[]]>([
  ['a file', 'teams/a.yaml', ['teams/a.yaml']],
  ['all files of a folder, sorted by name', 'teams/*.yaml', ['teams/[x].yaml', 'teams/a.yaml', 'teams/b.yaml']],
  [
    'files of all subfolders, without node_modules and .git',
    '**/*.yaml',
    ['inner.yaml', 'teams/[x].yaml', 'teams/a.yaml', 'teams/b.yaml', 'teams/deep/c.yaml'],
  ],
  ['one of several files', 'teams/{a,c}.yaml', ['teams/a.yaml']],
  ['files with any one letter in place of `?`', 'teams/?.yaml', ['teams/a.yaml', 'teams/b.yaml']],
  ['a symbolic link to a file of the project', 'inner.yaml', ['inner.yaml']],
  ['a file by its absolute path', 'TEAMS/a.yaml', ['teams/a.yaml']],
])('a pattern names %s', (_, pattern, names) => {
  const at = pattern.replace('TEAMS', join(cwd, 'teams'));
  // Links that lead out of the project are left out here. Another test covers such links.
  const found = find(at, { allowOutside: true });
  expect(Array.isArray(found) ? found.filter((one) => !/^(?:link|up)/.test(one)) : found).toEqual(names);
});

test('a pattern never names the file that contains the pattern, even if that file is in a subfolder', () => {
  expect(find('*.yaml', { from: 'teams/a.yaml' })).toEqual(['teams/[x].yaml', 'teams/b.yaml']);
});

const outside = "leads out of the project's folder <folder>/project; move the file, or add --allow-outside";
test.each<[string, string, string]>([
  ['that does not exist', 'none.yaml', 'names no file: there is no such file'],
  ['that is a folder', 'teams', 'names a folder: write a pattern such as `folder/*.yaml`'],
  ['that is a device', 'device.txt', 'names a device or a pipe: expected a file'],
  ['that is not text', 'latin1.txt', 'names latin1.txt, which is not UTF-8 text: save it as UTF-8'],
  ['outside of the project, by `..`,', '../outside.yaml', outside],
  [
    'outside of the project, in a folder whose name begins with the name of the project,',
    '../project-of-others/f.yaml',
    outside,
  ],
  ['outside of the project, by a link,', 'link.yaml', outside],
  ['outside of the project, through a linked folder,', 'up/outside.yaml', outside],
  ['outside of the project, by a pattern,', '../*.yaml', outside],
  ['outside of the project, by a pattern with `..` in the middle,', 'teams/*/../../../outside.yaml', outside],
  ['of the system', '/etc/passwd', outside],
  ['that links to itself', 'round.txt', 'cannot be read (ELOOP)'],
  ['in a folder that links to itself', 'round.txt/a.yaml', 'cannot be read (ELOOP)'],
  ['below another file, as if that were a folder,', 'a.yaml/b.yaml', 'names no file: there is no such file'],
  ['with a name that is too long', `${'x'.repeat(300)}.yaml`, 'cannot be read (ENAMETOOLONG)'],
  ['with a null character', 'a\u0000.yaml', 'cannot be read (ERR_INVALID_ARG_VALUE)'],
])('a pattern that names a file %s leads to an error', (_, pattern, reason) => {
  expect(find(pattern)).toBe(reason);
});

test('with `allowOutside`, a pattern may name files outside of the project', () => {
  expect(find('../outside.yaml', { allowOutside: true })).toEqual(['../outside.yaml']);
  expect(find('link.yaml', { allowOutside: true })).toEqual(['link.yaml']);
});

test('if the manifest is outside of the working folder, its own folder is the project', () => {
  const root = join(folder, 'project-of-others', 'f.yaml');
  expect(find('../outside.yaml', { from: root, root })).toMatch(
    /leads out of the project's folder <folder>\/project-of-others;/,
  );
  expect(find('f.yaml', { from: root, root })).toEqual([root]);
});

test('all paths to one file have the same identity, and even a missing file has an identity', () => {
  const { identity } = openIncludes(cwd, { allowOutside: false });
  expect(identity('inner.yaml')).toBe(identity('./teams/../teams/a.yaml'));
  expect(identity('none.yaml')).toBe(join(cwd, 'none.yaml'));
});
