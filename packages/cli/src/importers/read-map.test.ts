import { expect, test } from 'vitest';
import type { ImportSource } from './importer.ts';
import { type Places, readMap } from './read-map.ts';

const fileOf = (name: string, text: string) => ({ name, path: `/${name}`, text: async () => text });
const folderOf = (files: Record<string, string>): ImportSource => ({
  ...fileOf('folder', ''),
  files: Object.entries(files).map(([name, text]) => fileOf(name, text)),
});
const read = (source: ImportSource, format: 'YAML' | 'JSON' = 'YAML', places: Places = new WeakMap()) =>
  readMap(source, format, 'a list of sites', places);

test.each([
  ['YAML', 'sites:\n  - name: a\n\n  - { name: b }\n', [2, 4]],
  ['JSON', '{\n "sites": [\n  { "name": "a" },\n  {\n "name": "b" } ] }', [3, 4]],
] as const)('the place of each map of a %s file is recorded', async (format, text, lines) => {
  const places: Places = new WeakMap();
  const { sites } = (await read(fileOf('sites', text), format, places)) as { sites: object[] };
  expect(sites.map((site) => places.get(site))).toEqual(lines.map((line) => ({ line, file: null })));
});

test('the files of a folder become one map: maps are merged by key, and lists one after the other', async () => {
  const folder = folderOf({
    'a.yaml': 'mail: { host: mail.example.com }\nsites: [{ name: a }]',
    'empty.yaml': '# nothing yet',
    'b.yaml': 'mail: { port: 25, host: mail.example.com }\nsites: [{ name: b }]\nbase: null',
    'c.yaml': 'base: https://example.com',
  });
  const places: Places = new WeakMap();
  const all = await read(folder, 'YAML', places);
  expect(all).toEqual({
    mail: { host: 'mail.example.com', port: 25 },
    sites: [{ name: 'a' }, { name: 'b' }],
    base: 'https://example.com',
  });
  expect((all['sites'] as object[]).map((site) => places.get(site))).toEqual([
    { line: 2, file: 'a.yaml' },
    { line: 2, file: 'b.yaml' },
  ]);
});

test.each([
  [
    'two files set one value differently',
    { 'a.yaml': 'mail: { port: 25 }', 'b.yaml': 'mail: { port: 26 }' },
    'b.yaml changes `mail.port`, which another file of the folder sets',
  ],
  [
    'one file is a list',
    { 'a.yaml': 'sites: []', 'b.yaml': '- a' },
    'b.yaml is not the right kind of file: expected a list of sites',
  ],
  ['one file is not YAML', { 'a.yaml': 'sites: [' }, 'a.yaml is not valid YAML: '],
])('a folder is refused if %s', async (_, files, message) => {
  await expect(read(folderOf(files))).rejects.toThrow(message);
});

test.each([
  ['a text', 'hello', 'sites is not the right kind of file: expected a list of sites'],
  ['a list', '[a]', 'sites is not the right kind of file: expected a list of sites'],
  ['a key twice', 'a: 1\na: 2', 'sites is not valid YAML: '],
  ['several documents', 'a: 1\n---\nb: 2', 'sites is not valid YAML: it has several documents, and one is expected'],
  ['an alias of an alias, many times', bomb(), 'sites is not valid YAML: '],
  [
    '10,000 nested lists',
    `a: ${'['.repeat(10_000)}${']'.repeat(10_000)}`,
    'sites is not valid YAML: it is nested too deeply',
  ],
])('a YAML file with %s is refused', async (_, text, message) => {
  await expect(read(fileOf('sites', text))).rejects.toThrow(message);
});

/** Returns YAML in which each list consists of ten aliases of the list on the line above it. */
function bomb(): string {
  const lines = ['a0: &a0 [x]'];
  for (let n = 1; n < 9; n++) lines.push(`a${n}: &a${n} [${`*a${n - 1}, `.repeat(10)}]`);
  return lines.join('\n');
}
