import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { recordedContext } from '../testing/recorded-context.ts';
import { complete } from './complete.ts';
import { readNames } from './read-names.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'uptime-names-'));
  // Completion waits only a second for the server. Here it waits without a limit, because a busy machine may be slow.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  vi.spyOn(AbortSignal, 'timeout').mockReturnValue(new AbortController().signal);
});
afterEach(async () => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  await rm(folder, { recursive: true });
});

/** Creates a context for a server with these resources, and records its requests in `requests`. */
function on(rows: readonly object[], env: Record<string, string> = {}) {
  const requests: string[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    requests.push(new URL(new Request(input, init).url).pathname);
    return Response.json(rows);
  };
  const settings = { UPTIME_SITE_URL: 'http://uptime.test', UPTIME_API_KEY: 'uptime_0', UPTIME_CONFIG_DIR: folder };
  return { requests, ...recordedContext({ env: { ...settings, ...env }, fetch }) };
}
const rows = [
  { key: 'shop', name: 'Shop', slug: 'a', type: 'http' },
  { key: null, name: 'Job', slug: 'b', type: 'heartbeat' },
];
const cacheFiles = async () => (await readdir(folder)).filter((name) => name.startsWith('names-'));

test.each([
  ['monitors', '/api/monitors', [['shop', 'Shop'], ['Job']]],
  ['heartbeats', '/api/monitors', [['Job']]],
  ['channels', '/api/notification-channels', [['shop', 'Shop'], ['Job']]],
  ['rules', '/api/alert-rules', [['shop', 'Shop'], ['Job']]],
  [
    'pages',
    '/api/status-pages',
    [
      ['a', 'shop', 'Shop'],
      ['b', 'Job'],
    ],
  ],
  ['regions', '/api/regions', [['Shop'], ['Job']]],
] as const)('readNames reads the names of %s from %s, with one request', async (of, path, names) => {
  const { context, requests } = on(rows);
  expect(await readNames(of, context)).toEqual(names);
  expect(requests).toEqual([path]);
});

const both = [['shop', 'Shop'], ['Job']];

describe('the cache', () => {
  test('the cache is used only for the same server, key and kind of resource, and then no request is sent', async () => {
    await readNames('monitors', on(rows).context);
    const same = on([]);
    expect(await readNames('monitors', same.context)).toEqual(both);
    expect(same.requests).toEqual([]);
    for (const [of, env] of [
      ['channels', {}],
      ['monitors', { UPTIME_API_KEY: 'uptime_1' }],
      ['monitors', { UPTIME_SITE_URL: 'http://other.test' }],
    ] as const) {
      const other = on([], env);
      expect(await readNames(of, other.context)).toEqual([]);
      expect(other.requests).toHaveLength(1);
    }
  });

  test('the cache expires after half a minute, and also if the clock went back by more than that', async () => {
    await readNames('monitors', on(rows).context);
    const [file = ''] = await cacheFiles();
    for (const seconds of [-31, 31]) {
      const at = Date.now() / 1000 + seconds;
      await utimes(join(folder, file), at, at);
      const later = on([{ key: 'new', name: 'New', type: 'http' }]);
      expect(await readNames('monitors', later.context)).toEqual([['new', 'New']]);
      expect(later.requests).toHaveLength(1);
    }
  });

  test('the cache does not contain the API key, and its file is never half-written', async () => {
    await readNames('monitors', on(rows, { UPTIME_API_KEY: 'uptime_hush' }).context);
    const files = await readdir(folder);
    expect(files).toEqual([expect.stringMatching(/^names-[0-9a-f]{16}\.json$/)]);
    expect(await readFile(join(folder, files[0]!), 'utf8')).toBe('[["shop","Shop"],["Job"]]');
  });

  test('if the cache cannot be written, readNames still returns the names', async () => {
    await writeFile(join(folder, 'file'), '');
    const { context } = on(rows, { UPTIME_CONFIG_DIR: join(folder, 'file', 'config') });
    expect(await readNames('monitors', context)).toEqual(both);
    const configFolder = join(folder, 'config');
    await readNames('monitors', on(rows, { UPTIME_CONFIG_DIR: configFolder }).context);
    const [file = ''] = await readdir(configFolder);
    await rm(join(configFolder, file));
    await mkdir(join(configFolder, `${file}.new`));
    expect(await readNames('monitors', on(rows, { UPTIME_CONFIG_DIR: configFolder }).context)).toEqual(both);
  });

  test.each(['', '[half', '{"a":1}'])('a damaged cache (%j) is replaced by names from the server', async (content) => {
    await readNames('monitors', on([]).context);
    const [file = ''] = await cacheFiles();
    await writeFile(join(folder, file), content);
    expect(await readNames('monitors', on(rows).context)).toEqual(both);
    expect(await readNames('monitors', on([]).context)).toEqual(both);
  });
});

test('for any names, each candidate is one line without control characters, and begins with the typed text', async () => {
  const program = new Command();
  program.command('get').argument('<monitor>');
  const name = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 8 }),
    fc.constantFrom('shop', ':files', 'a\nb', 'a\u001b[2J', 'Café', "it's", '$(id)', '-x', ' '),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(name, { maxLength: 6 }), fc.nat(3), async (names, length) => {
      const typed = (names[0] ?? '').slice(0, length).replaceAll(/\p{Cc}/gu, '');
      const { context, output } = on(names.map((one) => ({ key: null, name: one, type: 'http' })));
      await complete(['get', typed], program, context);
      const expected = names.filter(
        (one) => one !== '' && !one.startsWith(':') && one.startsWith(typed) && !/[\p{Cc}\u2028\u2029]/u.test(one),
      );
      const isOption = typed.startsWith('-');
      const found = output.stdout.split('\n').slice(0, -1);
      if (isOption) expect(found).toEqual('--help'.startsWith(typed) ? ['--help'] : []);
      else expect(found).toEqual([...new Set(expected)]);
      await rm(folder, { recursive: true });
      await mkdir(folder);
    }),
    { numRuns: 60 },
  );
});
