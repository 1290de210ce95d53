import { mkdir, mkdtemp, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { repositoryPath } from './repository-path.ts';

test.each<[string, string, string, Record<string, string>, string]>([
  ['in the folder of the command, outside of a CI job', 'a.yaml', '/work/shop', {}, 'a.yaml'],
  ['whose path begins with `./`', './a.yaml', '/work/shop', {}, 'a.yaml'],
  ['given by its absolute path', '/work/shop/teams/a.yaml', '/work/shop', {}, 'teams/a.yaml'],
  ['outside of the folder of the command, outside of a CI job', '../a.yaml', '/work/shop', {}, '../a.yaml'],
  [
    'of a GitHub job that runs in a subfolder',
    'a.yaml',
    '/work/shop/ops',
    { GITHUB_WORKSPACE: '/work/shop' },
    'ops/a.yaml',
  ],
  [
    'of a GitLab job that runs in a subfolder',
    '../a.yaml',
    '/work/shop/ops',
    { CI_PROJECT_DIR: '/work/shop' },
    'a.yaml',
  ],
  [
    'in a container, where the folder of the job does not exist',
    './a.yaml',
    '/app',
    { GITHUB_WORKSPACE: '/work/shop' },
    'a.yaml',
  ],
  ['whose name begins with dots', '..a.yaml', '/work/shop', { GITHUB_WORKSPACE: '' }, '..a.yaml'],
  ['from standard input', '<stdin>', '/work/shop', { GITHUB_WORKSPACE: '/work' }, '<stdin>'],
])('repositoryPath returns the right path of a file %s', (_, file, cwd, env, expected) => {
  expect(repositoryPath(file, { cwd, env })).toBe(expected);
});

test('the folder of a CI job may be a symbolic link', async () => {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'uptime-repository-')));
  onTestFinished(() => rm(folder, { recursive: true }));
  await symlink('.', join(folder, 'link'));
  const env = { GITHUB_WORKSPACE: join(folder, 'link') };
  expect(repositoryPath('a.yaml', { cwd: join(folder, 'ops'), env })).toBe('ops/a.yaml');
});

test('a repository may be checked out in a subfolder of the CI job', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'uptime-repository-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await mkdir(join(folder, 'pull-request', '.git'), { recursive: true });
  const job = { cwd: folder, env: { GITHUB_WORKSPACE: folder } };
  expect(repositoryPath('pull-request/ops/a.yaml', job)).toBe('ops/a.yaml');
  expect(repositoryPath('a.yaml', job)).toBe('a.yaml');
});
