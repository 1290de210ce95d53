import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import type { ImportKind } from './import-kinds.ts';
import { importers } from './index.ts';
import { openSource } from './read-source.ts';
import { runImport } from './run-import.ts';

let folder: string;
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'uptime-silent-'))));
afterAll(() => rm(folder, { recursive: true, force: true }));

async function imported(kind: ImportKind, content: string) {
  await writeFile(join(folder, kind), content);
  return runImport(importers[kind], await openSource(kind, folder), 'https://uptime.example.com');
}

/** A sample configuration in the format of each program. */
const samples: Record<string, unknown> = {
  gatus: {
    alerting: { slack: { 'webhook-url': 'https://hooks.example.com/x' } },
    endpoints: [
      {
        name: 'shop',
        url: 'https://shop.example.com',
        client: { timeout: '5s' },
        alerts: [{ type: 'slack' }],
        conditions: ['[STATUS] == 200'],
      },
    ],
    'external-endpoints': [{ name: 'backup', token: 'hush' }],
  },
  upptime: { sites: [{ name: 'Shop', url: 'https://shop.example.com' }], 'status-website': { name: 'Status' } },
  healthchecks: { checks: [{ name: 'Backup', timeout: 3600, grace: 60 }] },
  openstatus: { shop: { kind: 'http', frequency: '1m', request: { url: 'https://shop.example.com' } } },
  blackbox: {
    scrape_configs: [
      { job_name: 'web', params: { module: ['http_2xx'] }, static_configs: [{ targets: ['shop.example.com'] }] },
    ],
  },
};

/**
 * The paths of maps to which the test adds no unknown field. In these maps, a key is not a setting, but the name of a
 * list, a monitor or a provider.
 */
const free = new Set(['healthchecks', 'openstatus', 'gatus.alerting', 'blackbox.scrape_configs[].static_configs[]']);

/** Returns a copy in which each map outside of `free` has one more field. Adds the names of these fields to `names`. */
function withSurprises(value: unknown, path: string, names: string[]): unknown {
  if (Array.isArray(value)) return value.map((one) => withSurprises(one, `${path}[]`, names));
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([name, one]) => [name, withSurprises(one, `${path}.${name}`, names)]);
  const name = `surprise${names.length}`;
  if (!free.has(path)) names.push(name);
  return Object.fromEntries([...fields, ...(free.has(path) ? [] : [[name, 'x']])]);
}

test.each(Object.keys(samples))(
  'in an import of the kind %s, a note names every field without a counterpart in a manifest',
  async (kind) => {
    const names: string[] = [];
    const content = withSurprises(samples[kind], kind, names);
    const { notes, count } = await imported(kind as ImportKind, JSON.stringify(content));
    const lost = notes.filter(({ level }) => level === 'lost').map(({ text }) => text);
    expect(names.filter((name) => !lost.some((text) => text.includes(name)))).toEqual([]);
    expect(names.length).toBeGreaterThan(0);
    expect(count).toBeGreaterThan(0);
  },
);

describe('two items with the same name', () => {
  const sites = { sites: ['a', 'b'].map((host) => ({ name: 'Shop', url: `https://${host}.example.com` })) };
  test('two items with the same name get different keys and lines, and notes that tell them apart', async () => {
    Object.assign(sites.sites[1]!, { ipv6: true });
    const { text, notes, placeOf } = await imported('upptime', stringify(sites));
    const [note] = notes.filter(({ about }) => about !== null);
    expect(note).toEqual({ level: 'lost', about: 'Shop (2)', text: '`ipv6`: there is no such setting here' });
    expect([placeOf('Shop'), placeOf('Shop (2)')]).toMatchObject([{ line: 2 }, { line: 4 }]);
    expect(text).toMatch(/# lost: `ipv6`[^\n]*\n\s+- key: shop-2\n\s+name: Shop\n/);
    expect((parse(text) as { monitors: object[] }).monitors).toHaveLength(2);
  });
});

test('in the manifest, notes stand above their monitor even if its key differs from its name', async () => {
  const { text } = await imported('openstatus', stringify({ web: { name: 'Shop', regions: ['ams'], ...shop } }));
  expect(text).toMatch(/# lost: `regions`[^\n]*\n\s+- key: web\n\s+name: Shop\n/);
});
const shop = { kind: 'http', frequency: '1m', request: { url: 'https://shop.example.com' } };

test('the import refuses a file with several YAML documents, with a clear message', async () => {
  await expect(imported('gatus', 'a: 1\n---\nb: 2\n')).rejects.toThrow('it has several documents, and one is expected');
});

test('the notes list the columns of Uptime Kuma without a counterpart, except columns with default values', async () => {
  const usual = { type: 'http', url: 'https://a.example.com', interval: 60, retryInterval: 60, maxretries: 2 };
  const monitorList = [
    { id: 1, name: 'Usual', ...usual, maxredirects: 10, ipFamily: null, saveResponse: false },
    { id: 2, name: 'Special', ...usual, retryInterval: 20, maxredirects: 3, ipFamily: 'ipv6', saveResponse: true },
    { id: 3, name: 'Rare', ...usual, interval: 200_000, retryInterval: 200_000 },
    { id: 4, name: 'Job', type: 'push', interval: 60, maxretries: 3, retryInterval: 60 },
    {
      id: 5,
      name: 'Names',
      type: 'dns',
      hostname: 'a.example.com',
      dns_resolve_server: '1.1.1.1, 9.9.9.9',
      port: 5353,
    },
    { id: 6, name: 'Twice', ...usual, tags: ['a', 'b'].map((value) => ({ name: 'team', value })) },
    { id: 7, name: 'Canary', ...usual, upsideDown: true },
    { id: 9, name: 'Slow', ...usual, timeout: 160, resendInterval: 3 },
    { id: 10, name: 'Quick', ...usual, timeout: 0.4 },
    { id: 8, name: 'Login', ...usual, basic_auth_user: 'ada', basic_auth_pass: 'hush' },
  ];
  const { text, notes } = await imported('kuma', JSON.stringify({ monitorList }));
  const noteLines = notes.filter(({ about }) => about !== null).map(({ about, text: what }) => `${about}: ${what}`);
  expect(noteLines).toEqual([
    'Special: the limit of 3 redirects',
    'Special: the IP family: a check uses any address of its target',
    'Special: saved responses: results do not store a body',
    'Special: retries every 20 s: the server chooses when it tries again',
    'Rare: the interval of 200000 s becomes 86400 s, the maximum',
    'Job: push: the ping address is new; `uptime apply` prints it',
    'Job: retries: set `gracePeriod` to how late a ping may be',
    'Names: the other name servers (9.9.9.9): a check asks only the first one',
    'Names: port 5353 of the name server: port 53 is asked',
    'Twice: a tag that the monitor has twice: a label has only one value',
    'Canary: the whole monitor: it is upside down, and a monitor here is down when its check fails',
    'Slow: reminders every 3 checks: set `reminderInterval` of its rule',
    'Slow: the timeout of 160 s becomes 120 s, the maximum',
    'Login: the log-in: the header holds `Basic`, a space, and `<user>:<password>` in Base64',
  ]);
  expect(text).not.toContain('canary');
});

test('the notes list the filters and the time zone of Healthchecks', async () => {
  const check = { name: 'Backup', schedule: '0 2 * * *', tz: 'Europe/Berlin', grace: 60, filter_subject: true };
  const { notes } = await imported('healthchecks', JSON.stringify({ checks: [check] }));
  const lost = notes.filter(({ level, about }) => level === 'lost' && about !== null).map(({ text }) => text);
  expect(lost).toEqual([
    '`filter_subject`: the text of a ping has no meaning here',
    '`tz: Europe/Berlin`: an interval has no time zone; when the clocks change, a run may be an hour late',
  ]);
});

test('an endpoint of Gatus that expects its connection to fail is left out', async () => {
  const closed = { name: 'telnet', url: 'tcp://a.example.com:23', conditions: ['[CONNECTED] == false'] };
  const { notes, count } = await imported('gatus', stringify({ endpoints: [closed] }));
  expect(count).toBe(0);
  expect(notes[0]?.text).toMatch(/^the whole monitor: it expects no connection/);
});

describe('the lines in notes', () => {
  test('a note names the line of its item in an export of Healthchecks', async () => {
    const checks = [
      { name: 'Backup', timeout: 60, grace: 60 },
      { name: 'Report', timeout: 60, color: 'red' },
    ];
    const { notes, placeOf } = await imported('healthchecks', JSON.stringify({ checks }, null, '\t'));
    expect(notes).toContainEqual({ level: 'lost', about: 'Report', text: '`color`: there is no such setting here' });
    expect(placeOf('Report')).toEqual({ line: 8, file: null });
  });

  test('a note names the line of its item in a backup of Uptime Kuma', async () => {
    const monitorList = ['Shop', 'Bank'].map((name, id) => ({
      id,
      name,
      type: 'http',
      url: 'https://shop.example.com',
    }));
    const { placeOf } = await imported('kuma', JSON.stringify({ monitorList }, null, 2));
    expect([placeOf('Shop'), placeOf('Bank')]).toMatchObject([{ line: 3 }, { line: 9 }]);
  });
});
