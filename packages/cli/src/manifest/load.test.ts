import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadSources } from './load.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'uptime-load-'));
});
afterAll(() => rm(folder, { recursive: true }));

const load = (paths: string[], stdin: Buffer = Buffer.alloc(0)) =>
  loadSources(paths, folder, { stdin: Readable.from([stdin]) });

test('text that is not UTF-8 is refused with its name, also from a folder and standard input', async () => {
  const latin1 = Buffer.from('monitors: [{ name: Café }]\n', 'latin1');
  await writeFile(join(folder, 'latin1.yaml'), latin1);
  await expect(load(['latin1.yaml'])).rejects.toThrow(/^latin1\.yaml: is not UTF-8 text: save it as UTF-8$/);
  await expect(load(['.'])).rejects.toThrow(/^\.: latin1\.yaml is not UTF-8 text: save it as UTF-8$/);
  await expect(load(['-'], latin1)).rejects.toThrow(/^<stdin>: is not UTF-8 text: save it as UTF-8$/);
});

test('the error for a file that is not UTF-8 does not advise to name another file', async () => {
  await writeFile(join(folder, 'latin1.yaml'), Buffer.from('é', 'latin1'));
  await expect(load(['latin1.yaml'])).rejects.toMatchObject({ next: undefined });
  await expect(load(['latin1.yaml', 'none.yaml'])).rejects.toMatchObject({
    next: 'name a file, a folder or `-` with -f',
  });
});

test('UTF-8 is read unchanged, even in pieces', async () => {
  const text = 'monitors: [{ name: Café 🟢 }]\n';
  await writeFile(join(folder, 'utf8.yaml'), text);
  expect(await load(['utf8.yaml'])).toEqual([{ name: 'utf8.yaml', text }]);
  const bytes = [...Buffer.from(text)].map((byte) => Buffer.from([byte]));
  expect(await loadSources(['-'], folder, { stdin: Readable.from(bytes) })).toEqual([{ name: '<stdin>', text }]);
});
