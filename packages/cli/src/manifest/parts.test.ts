import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { monitorTypes } from '@uptime/sdk/contract';
import { formatDiagnostic } from './diagnostic.ts';
import { openIncludes } from './includes.ts';
import { validateManifests } from './validate.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'uptime-parts-'));
});
afterAll(() => rm(folder, { recursive: true }));

let count = 0;

/** The text of a file that has exactly the largest size. */
const large = '#'.repeat(8 * 1_048_576);

/** Writes these files to a new project folder, and reads the first file as a manifest. */
async function read(
  files: Record<string, string>,
  { env = {}, environment = null as string | null, allowOutside = false } = {},
) {
  const cwd = join(folder, String(++count), 'project');
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(cwd, name)), { recursive: true });
    await writeFile(join(cwd, name), text);
  }
  const [[name, text] = ['', '']] = Object.entries(files);
  const options = { environment, includes: openIncludes(cwd, { allowOutside }) };
  const found = validateManifests([{ name, text }], env, 0, options);
  return { ...found, faults: [...found.faults, ...found.dangling].map(formatDiagnostic) };
}

const one = async (text: string, options: Parameters<typeof read>[1] = {}) => {
  const { items, faults } = await read({ 'm.yaml': text }, options);
  expect(faults).toEqual([]);
  return items.map(({ value }) => value);
};

describe('defaults', () => {
  test('defaults apply to a list or to a type: maps are merged, a field of the item replaces a default, and null removes a field', async () => {
    const [shop, job, bare] = await one(`
defaults:
  monitors: { interval: 45, labels: { team: shop, tier: "1" }, retries: 2 }
  http: { timeout: 7 }
monitors:
  - { name: Shop, type: http, url: "https://a.example", labels: { tier: "2" } }
  - { name: Job, type: heartbeat, interval: 5 }
  - { name: Bare, type: http, url: "https://b.example", interval: null, labels: null }
`);
    expect(shop).toMatchObject({ interval: 45, timeout: 7, retries: 2, labels: { team: 'shop', tier: '2' } });
    expect(job).toMatchObject({ interval: 5, labels: { team: 'shop', tier: '1' } });
    expect(bare).toMatchObject({ interval: 60, labels: {} });
  });

  test('defaults with a fault are reported at their own place, not at the place of an item', async () => {
    const { faults } = await read({
      'm.yaml': `defaults:\n  monitors: { interval: often }\n  htp: {}\nmonitors:\n  - { name: a, type: heartbeat }\n  - { name: b, type: heartbeat }\n`,
    });
    expect(faults).toEqual([
      'm.yaml:2:25: `interval` must be a whole number from 1 to 2592000; found "often"',
      expect.stringMatching(/^m\.yaml:3:8: `htp` is neither a list nor a type; did you mean `http`\?$/),
    ]);
  });
});

describe('overrides', () => {
  const text = `
overrides:
  production:
    defaults: { monitors: { interval: 10 } }
    monitors: { shop: { url: "https://\${HOST}" } }
  staging: {}
monitors:
  - { key: shop, name: Shop, type: http, url: "https://localhost" }
  - { name: Job, type: heartbeat, interval: 99, overrides: { production: { interval: 20 } } }
`;
  test('overrides apply only to their environment, and only the variables of that environment must be set', async () => {
    expect(await one(text)).toMatchObject([{ url: 'https://localhost', interval: 60 }, { interval: 99 }]);
    expect(await one(text, { environment: 'staging' })).toMatchObject([{ interval: 60 }, { interval: 99 }]);
    expect(await one(text, { environment: 'production', env: { HOST: 'a.example' } })).toMatchObject([
      { url: 'https://a.example', interval: 10 },
      { interval: 20 },
    ]);
  });

  test('overrides for a mistyped environment, or for an item that does not exist, are faults', async () => {
    const { faults } = await read({ 'm.yaml': text }, { environment: 'prodution' });
    expect(faults).toEqual([
      expect.stringMatching(/has no overrides for the environment "prodution"; did you mean production\?/),
    ]);
    const none = await read(
      { 'm.yaml': text.replace('{ shop:', '{ shp:') },
      { environment: 'production', env: { HOST: 'a' } },
    );
    expect(none.faults).toEqual([
      'm.yaml:5:17: no item of `monitors` has the key or name "shp", so this override changes nothing',
    ]);
  });
});

describe('forEach', () => {
  test('forEach makes an item for each entry of a list, or for each combination of the entries of several lists, and values keep their types', async () => {
    const items = await one(`
monitors:
  - forEach: [{ at: a.example, port: 1 }, { at: b.example, port: 2 }]
    name: DB at \${each.at}
    type: tcp
    host: \${each.at}
    port: \${each.port}
  - forEach: { region: [eu, us], service: [api, web] }
    name: \${each.service} \${each.region}
    type: http
    url: https://\${each.service}.\${each.region}.example
  - forEach: [x, y]
    name: Job \${each}
    type: heartbeat
`);
    expect(items.map(({ name }) => name)).toEqual([
      'DB at a.example',
      'DB at b.example',
      'api eu',
      'web eu',
      'api us',
      'web us',
      'Job x',
      'Job y',
    ]);
    expect(items[1]).toMatchObject({ host: 'b.example', port: 2 });
  });

  test('forEach leads to faults at the place of the entry, or at a place in the item if the fault is not in an entry', async () => {
    const { faults } = await read({
      'm.yaml': `monitors:
  - forEach: [{ port: 1 }, { port: 70000 }]
    name: DB \${each.prt}
    type: tcp
    host: a
    port: \${each.port}
  - { forEach: 5, name: a, type: heartbeat }
  - { name: "\${each.x}", type: heartbeat }
`,
    });
    expect(faults).toEqual([
      'm.yaml:2:36: `port` must be a whole number from 1 to 65535; found 70000',
      'm.yaml:3:11: `${each.prt}` is not a field of the `forEach` of this item, which has port',
      'm.yaml:7:16: `forEach` must be a list, or a map of lists',
      'm.yaml:8:13: `${each.x}` can only stand in an item with `forEach`',
    ]);
  });

  test('forEach leads to a fault if it would make millions of items', async () => {
    const many = JSON.stringify(Array.from({ length: 200 }, (_, i) => i));
    const { faults } = await read({
      'm.yaml': `monitors:\n  - { forEach: { a: ${many}, b: ${many}, c: ${many} }, name: x, type: heartbeat }\n`,
    });
    expect(faults).toEqual(['m.yaml:2:16: `forEach` makes more than 10000 items; split it']);
  });
});

describe('include', () => {
  const job = (name: string) => `monitors:\n  - { name: ${name}, type: heartbeat }\n`;

  test('include reads a pattern relative to the file that contains the pattern, even if that file was itself included; defaults apply to included files too', async () => {
    const { items, faults, sources } = await read({
      'uptime/all.yaml': `include: [teams/*.yaml, "more/one.yaml"]\ndefaults: { monitors: { interval: 5, retries: 1 } }\n`,
      'uptime/teams/a.yaml': `defaults: { monitors: { interval: 7 } }\n${job('a')}`,
      'uptime/teams/b.yaml': job('b'),
      'uptime/more/one.yaml': `include: ../deep/two.yaml\n${job('one')}`,
      'uptime/deep/two.yaml': job('two'),
    });
    expect(faults).toEqual([]);
    expect(items.map(({ value }) => [value.name, value['interval'], value['retries']])).toEqual([
      ['a', 7, 1],
      ['b', 5, 1],
      ['one', 5, 1],
      ['two', 5, 1],
    ]);
    expect(sources.map(({ name }) => name)).toContain(join('uptime/deep/two.yaml'));
  });

  test.each<[string, Record<string, string>, string]>([
    [
      'a cycle of includes',
      { 'a.yaml': 'include: b.yaml', 'b.yaml': 'include: a.yaml' },
      'b.yaml:1:10: a.yaml includes itself: a.yaml → b.yaml → a.yaml',
    ],
    [
      'a missing file',
      { 'a.yaml': 'include:\n  - b.yaml' },
      'a.yaml:2:5: `b.yaml` names no file: there is no such file',
    ],
    ['a pattern without files', { 'a.yaml': 'include: "*.yml"' }, 'a.yaml:1:10: `*.yml` matches no file'],
    [
      'a file that is included twice',
      { 'a.yaml': 'include: [b.yaml, ./b.yaml]', 'b.yaml': job('b') },
      'a.yaml:1:19: b.yaml is already included at a.yaml:1; include it once',
    ],
    [
      'a folder',
      { 'a.yaml': 'include: b', 'b/c.yaml': job('b') },
      'a.yaml:1:10: `b` names a folder: write a pattern such as `folder/*.yaml`',
    ],
    [
      'a fault in a file',
      { 'a.yaml': 'include: b.yaml', 'b.yaml': 'monitors:\n  - { name: x, type: htpp }' },
      `b.yaml:2:22: \`type\` must be one of ${monitorTypes.join(', ')}; found "htpp"; did you mean \`http\`?`,
    ],
    [
      'a large file',
      { 'a.yaml': 'include: b.yaml', 'b.yaml': '#'.repeat(9 * 1_048_576) },
      'a.yaml:1:10: `b.yaml` names b.yaml, which has 9 MB, but the limit is 8 MB: split it, and `include` the parts',
    ],
    [
      'a file that exceeds the limit for all files together',
      { 'a.yaml': 'include: b/*.yaml', ...Object.fromEntries([1, 2, 3, 4].map((n) => [`b/${n}.yaml`, large])) },
      'a.yaml:1:10: `b/*.yaml` names b/4.yaml, which exceeds the 32 MB that all files of a manifest may have together',
    ],
  ])('include reports %s at its place', async (_name, files, fault) => {
    expect((await read(files)).faults).toEqual([fault]);
  });

  test('include never shows a path that comes from an environment variable', async () => {
    const { faults } = await read({ 'a.yaml': 'include: "${A}/b.yaml"' }, { env: { A: 'hush' } });
    expect(faults).toEqual(['a.yaml:1:10: `${A}/b.yaml` names no file: there is no such file']);
  });

  test('include reads a file outside of the project, through `..` or a link, only with permission', async () => {
    const files = { 'a.yaml': 'include: ../b.yaml\n', '../b.yaml': job('b') };
    expect((await read(files)).faults).toEqual([
      expect.stringMatching(
        /^a\.yaml:1:10: `\.\.\/b\.yaml` leads out of the project's folder .*; move the file, or add --allow-outside$/,
      ),
    ]);
    expect((await read(files, { allowOutside: true })).faults).toEqual([]);
    const linked = { 'a.yaml': 'include: c.yaml\n', '../b.yaml': job('b') };
    const next = join(folder, String(count + 1), 'project');
    await mkdir(next, { recursive: true });
    await symlink('../b.yaml', join(next, 'c.yaml'));
    expect((await read(linked)).faults).toEqual([expect.stringContaining("leads out of the project's folder")]);
  });
});

test('parts of a manifest that begin with x- may contain anchors, and their variables need not be set', async () => {
  const { items, faults } = await read({
    'm.yaml': `
x-base: &base { interval: 90, labels: { team: x } }
x-unused: { url: "\${NOT_SET}" }
monitors:
  - { <<: *base, name: a, type: heartbeat }
`,
  });
  expect(faults).toEqual([]);
  expect(items).toMatchObject([{ value: { name: 'a', interval: 90, labels: { team: 'x' } } }]);
});

test('a rule can select monitors by their labels', async () => {
  const { items, faults } = await read({
    'm.yaml': `
monitors:
  - { name: a, type: heartbeat, labels: { team: x } }
channels:
  - { name: c, type: email, config: { address: a@example.com } }
alertRules:
  - { name: r, monitorsWith: { team: x }, channels: [c] }
  - { name: s, monitorsWith: { team: y }, channels: [c] }
  - { name: t, monitorsWith: {}, channels: [c] }
  - { name: u, monitorsWith: x, channels: [c] }
`,
  });
  expect(items.find(({ value }) => value.name === 'r')?.monitorsWith).toEqual({ team: 'x' });
  expect(faults).toEqual([
    'm.yaml:9:30: `monitorsWith` must be a map with at least one label',
    'm.yaml:10:30: `monitorsWith` must be a map; found "x"',
    'm.yaml:8:30: no monitor has the label team: y',
  ]);
});
