import { mkdir, mkdtemp, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadSources } from './load.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'uptime-load-'));
});
afterAll(() => rm(folder, { recursive: true }));

const load = (paths: string[], stdin: Buffer = Buffer.alloc(0)) =>
  loadSources(paths, folder, { stdin: Readable.from([stdin]) });

test('a manifest that is not UTF-8 leads to an error with its name, even if it is in a folder or on standard input', async () => {
  const latin1 = Buffer.from('monitors: [{ name: Café }]\n', 'latin1');
  await writeFile(join(folder, 'latin1.yaml'), latin1);
  await expect(load(['latin1.yaml'])).rejects.toThrow(/^latin1\.yaml: is not UTF-8 text: save it as UTF-8$/);
  await expect(load(['.'])).rejects.toThrow(/^\.: latin1\.yaml is not UTF-8 text: save it as UTF-8$/);
  await expect(load(['-'], latin1)).rejects.toThrow(/^<stdin>: is not UTF-8 text: save it as UTF-8$/);
});

test('the error about a file that is not UTF-8 does not advise to name another file', async () => {
  await writeFile(join(folder, 'latin1.yaml'), Buffer.from('é', 'latin1'));
  await expect(load(['latin1.yaml'])).rejects.toMatchObject({ next: undefined });
  await expect(load(['latin1.yaml', 'none.yaml'])).rejects.toMatchObject({
    next: 'name a file, a folder or `-` with -f',
  });
});

test('text in UTF-8 is read unchanged, even if standard input delivers its bytes one by one', async () => {
  const text = 'monitors: [{ name: Café 🟢 }]\n';
  await writeFile(join(folder, 'utf8.yaml'), text);
  expect(await load(['utf8.yaml'])).toEqual([{ name: 'utf8.yaml', text }]);
  const bytes = [...Buffer.from(text)].map((byte) => Buffer.from([byte]));
  expect(await loadSources(['-'], folder, { stdin: Readable.from(bytes) })).toEqual([{ name: '<stdin>', text }]);
});

describe('a path', () => {
  let at: string;
  beforeAll(async () => {
    at = join(folder, 'paths');
    for (const inner of ['empty', 'two']) await mkdir(join(at, inner), { recursive: true });
    for (const name of ['b.yml', 'a.yaml', 'c.YAML', '.d.yaml', 'note.txt'])
      await writeFile(join(at, 'two', name), `# ${name}`);
    await symlink('a.yaml', join(at, 'two', 'z.yaml'));
  });
  const names = async (...paths: string[]) =>
    (await loadSources(paths, at, { stdin: Readable.from([Buffer.from('x')]) })).map(({ name }) => name);

  test.each<[string, string[], string[]]>([
    ['may be a file', ['two/b.yml'], ['two/b.yml']],
    [
      'may be a folder, whose manifests are read in the order of their names',
      ['two'],
      ['two/.d.yaml', 'two/a.yaml', 'two/b.yml', 'two/z.yaml'],
    ],
    ['may be given twice', ['two/a.yaml', 'two/a.yaml'], ['two/a.yaml']],
    ['may be given twice in two spellings', ['two/a.yaml', './two/../two/a.yaml'], ['two/a.yaml']],
    [
      'may be a file in a folder that is also given',
      ['two/b.yml', 'two'],
      ['two/b.yml', 'two/.d.yaml', 'two/a.yaml', 'two/z.yaml'],
    ],
    ['may be standard input together with files', ['-', 'two/a.yaml'], ['<stdin>', 'two/a.yaml']],
  ])('a path %s', async (_, paths, expected) => {
    expect(await names(...paths)).toEqual(expected);
  });

  test.each<[string, string[], string]>([
    ['is missing', ['none.yaml'], 'none.yaml: no such file or folder'],
    ['is empty', [''], '-f is empty: is a variable not set?'],
    ['is a folder without manifests', ['empty'], 'empty: is a folder without *.yaml files'],
    ['goes through a file', ['two/a.yaml/b'], 'two/a.yaml/b: ENOTDIR'],
  ])('a path that %s leads to an error', async (_, paths, message) => {
    await expect(names(...paths)).rejects.toMatchObject({ message: expect.stringContaining(message), exit: 'usage' });
  });

  test('a path that cannot be read is named in the error, together with all other such paths', async () => {
    await expect(names('none.yaml', 'two/a.yaml', 'empty')).rejects.toThrow(
      'none.yaml: no such file or folder\nempty: is a folder without *.yaml files',
    );
  });

  test('a path to a missing default file leads to an error that suggests `uptime init`', async () => {
    const next = 'name a file, a folder or `-` with -f';
    await expect(names('monitors.yaml')).rejects.toMatchObject({
      next: `${next}; \`uptime init\` writes a first manifest`,
    });
    await expect(names('other.yaml')).rejects.toMatchObject({ next });
  });

  test('a path to a file of more than 8 MB leads to a fault at the start of the file, before the file is read', async () => {
    const large = join(at, 'large.yaml');
    await writeFile(large, '');
    await truncate(large, 8 * 1_048_576 + 1);
    await expect(names('large.yaml')).rejects.toMatchObject({
      faults: [
        {
          file: 'large.yaml',
          line: 1,
          column: 1,
          message: expect.stringMatching(/^has 9 MB, but the limit is 8 MB: /),
        },
      ],
    });
    await truncate(large, 8 * 1_048_576);
    expect(await names('large.yaml')).toEqual(['large.yaml']);
  });

  test('a path to a folder of more than 32 MB leads to a fault at the start of the first file beyond that limit', async () => {
    const heavy = join(at, 'heavy');
    await mkdir(heavy);
    for (const name of ['a.yaml', 'b.yaml', 'c.yaml', 'd.yaml', 'e.yaml']) {
      await writeFile(join(heavy, name), '');
      await truncate(join(heavy, name), 8 * 1_048_576);
    }
    const message = 'exceeds the 32 MB that all files of a manifest may have together';
    await expect(names('heavy')).rejects.toMatchObject({ faults: [{ line: 1, column: 1, message }] });
    await rm(join(heavy, 'e.yaml'));
    expect(await names('heavy')).toHaveLength(4);
  });

  test('a path to an endless device leads to a fault at its start, after 8 MB were read', async () => {
    await expect(names('/dev/zero')).rejects.toMatchObject({ faults: [tooLong('/dev/zero')] });
  });

  test('the path of a folder leads to the files in it, without subfolders and devices', async () => {
    const odd = join(at, 'odd');
    await mkdir(join(odd, 'folder.yaml'), { recursive: true });
    await symlink('/dev/zero', join(odd, 'device.yaml'));
    await writeFile(join(odd, 'file.yaml'), '# file');
    expect(await names('odd')).toEqual(['odd/file.yaml']);
  });
});

const tooLong = (file: string) => ({
  file,
  line: 1,
  column: 1,
  message: 'exceeds the limit of 8 MB: split it, and `include` the parts',
});

describe('standard input', () => {
  const piece = Buffer.alloc(1_048_576, '#');
  const pieces = (count: number) => Array.from({ length: count }, () => piece);

  test('standard input of more than 8 MB leads to a fault at its start, and is not read any further', async () => {
    let sent = 0;
    function* endless() {
      for (;;) {
        sent++;
        yield piece;
      }
    }
    const reading = loadSources(['-'], folder, { stdin: Readable.from(endless()) });
    await expect(reading).rejects.toMatchObject({ faults: [tooLong('<stdin>')] });
    // The stream is read a little beyond the limit, because it buffers data.
    expect(sent).toBeLessThan(64);
  });

  test('standard input of exactly 8 MB is read', async () => {
    const [source] = await loadSources(['-'], folder, { stdin: Readable.from(pieces(8)) });
    expect(source?.text).toHaveLength(8 * 1_048_576);
  });
});
