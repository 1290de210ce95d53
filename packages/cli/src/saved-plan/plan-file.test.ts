import { execFileSync } from 'node:child_process';
import { lstat, mkdir, mkdtemp, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { canonical } from './fingerprint.ts';
import { readPlanFile, writePlanFile } from './plan-file.ts';
import type { SavedPlan } from './saved-plan.ts';

let cwd: string;
beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'uptime-plan-'));
});
afterAll(() => rm(cwd, { recursive: true }));

const plan: SavedPlan = {
  project: 'prj_1',
  siteUrl: 'http://uptime.test',
  flags: {
    manifest: { files: ['m.yaml'], environment: null, allowOutside: false },
    prune: false,
    takeOver: false,
    allowDeletes: false,
  },
  salt: 'salt',
  madeFrom: { files: { 'm.yaml': 'x' }, variables: { A: null }, resources: [] },
  plan: { changes: [], unchanged: 1 },
};

/**
 * Writes a plan file with changed content, and returns its path. The digest matches the new content, unless `edit` sets
 * another digest.
 */
async function changed(edit: (content: Record<string, unknown>) => object): Promise<string> {
  await writePlanFile('whole.json', plan, cwd);
  const { digest: _, ...content } = JSON.parse(await readFile(join(cwd, 'whole.json'), 'utf8')) as Record<
    string,
    unknown
  >;
  const next = edit(content);
  const digest = createHash('sha256').update(canonical(next)).digest('hex');
  await writeFile(join(cwd, 'edited.json'), JSON.stringify({ digest, ...next }));
  return 'edited.json';
}

test('a plan is read from its file exactly as it was written', async () => {
  await writePlanFile('plan.json', plan, cwd);
  expect(await readPlanFile('plan.json', cwd)).toEqual(plan);
  expect(await readPlanFile(join(cwd, 'plan.json'), '/')).toEqual(plan);
});

describe('readPlanFile refuses a file', () => {
  test.each<[string, string, string]>([
    ['that is missing', 'none.json', 'none.json does not exist; nothing was changed'],
    ['that is a folder', 'folder', 'folder cannot be read: EISDIR'],
    ['that is a manifest', 'monitors.yaml', 'monitors.yaml is a manifest, and not a plan; nothing was changed'],
    ['that is a manifest in capitals', 'M.YML', 'M.YML is a manifest, and not a plan'],
    ['that is not JSON', 'text.json', 'text.json is not a plan of `uptime apply --out`'],
    ['that is empty', 'empty.json', 'empty.json is not a plan of `uptime apply --out`'],
    ['that holds null', 'null.json', 'null.json is not a plan of `uptime apply --out`'],
    ['that holds a list', 'list.json', 'list.json is not a plan of `uptime apply --out`'],
    ['that holds another object', 'other.json', 'other.json is not a plan of `uptime apply --out`'],
    ['with a control character in its name', 'a\u001b[2J.json', 'a.json does not exist'],
  ])('readPlanFile refuses a file %s', async (_, name, message) => {
    await mkdir(join(cwd, 'folder'), { recursive: true });
    const texts = {
      'text.json': 'plan',
      'empty.json': '',
      'null.json': 'null',
      'list.json': '[]',
      'other.json': '{"format":"x"}',
    };
    for (const [file, text] of Object.entries(texts)) await writeFile(join(cwd, file), text);
    await expect(readPlanFile(name, cwd)).rejects.toMatchObject({
      message: expect.stringContaining(message),
      exit: 'usage',
    });
  });

  test.each<[string, (content: Record<string, unknown>) => object, string]>([
    [
      'of an earlier version of the format',
      (content) => ({ ...content, version: 1 }),
      'has the format version 1, and this program reads version 2',
    ],
    [
      'of a later version of the format',
      (content) => ({ ...content, version: '3\u001b[2J' }),
      'has the format version "3\\u001b[2J", and this program reads version 2',
    ],
    [
      'without a version of the format',
      (content) => ({ ...content, version: undefined }),
      'has the format version null, and this program reads version 2',
    ],
    [
      'that was edited',
      (content) => ({ ...content, digest: 'x', project: 'prj_2' }),
      'was changed after the plan was made: its digest does not match',
    ],
    ['with a field that no plan has', (content) => ({ ...content, more: 1 }), 'is not a complete plan'],
    ['without its flags', (content) => ({ ...content, flags: undefined }), 'is not a complete plan'],
    [
      'that names no manifest file',
      (content) => ({ ...content, flags: { ...plan.flags, manifest: { ...plan.flags.manifest, files: [] } } }),
      'is not a complete plan',
    ],
    [
      'with a resource of an unknown kind',
      (content) => ({
        ...content,
        madeFrom: { ...plan.madeFrom, resources: [{ kind: 'x', id: '1', key: null, name: 'x', fields: {} }] },
      }),
      'is not a complete plan',
    ],
  ])('readPlanFile refuses a file %s', async (_, edit, message) => {
    await expect(readPlanFile(await changed(edit), cwd)).rejects.toMatchObject({
      message: `edited.json ${message}; nothing was changed`,
      exit: 'usage',
    });
  });
});

test('a plan can be written through a symbolic link, and into a pipe or device, without replacing these', async () => {
  const folder = join(cwd, 'odd');
  await mkdir(folder);
  await writeFile(join(folder, 'target.json'), 'old');
  await symlink('target.json', join(folder, 'link.json'));
  await writePlanFile('odd/link.json', plan, cwd);
  expect((await lstat(join(folder, 'link.json'))).isSymbolicLink()).toBe(true);
  expect(await readPlanFile('odd/target.json', cwd)).toEqual(plan);

  execFileSync('mkfifo', [join(folder, 'pipe')]);
  const [written] = await Promise.all([readFile(join(folder, 'pipe'), 'utf8'), writePlanFile('odd/pipe', plan, cwd)]);
  expect(JSON.parse(written)).toMatchObject(plan);
  expect((await lstat(join(folder, 'pipe'))).isFIFO()).toBe(true);
});

test('readPlanFile refuses an endless file', async () => {
  await expect(readPlanFile('/dev/zero', cwd)).rejects.toThrow(
    '/dev/zero cannot be read: it exceeds the limit of 64 MB for a plan; nothing was changed',
  );
});

test('if a plan cannot be written, an error is thrown, and no part of the plan is left in the folder', async () => {
  await mkdir(join(cwd, 'taken'), { recursive: true });
  await expect(writePlanFile('none/plan.json', plan, cwd)).rejects.toThrow(
    /^none\/plan\.json cannot be written: ENOENT/,
  );
  await expect(writePlanFile('taken', plan, cwd)).rejects.toThrow(/^taken cannot be written: /);
  expect((await readdir(cwd)).filter((name) => name.endsWith('.part'))).toEqual([]);
});
