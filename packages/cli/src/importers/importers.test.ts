import * as fc from 'fast-check';
import { mkdtemp, open, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CliError } from '../exit.ts';
import { validateManifests } from '../manifest/validate.ts';
import { importKinds } from './import-kinds.ts';
import { importers } from './index.ts';
import type { ImportSource } from './importer.ts';
import { openSource } from './read-source.ts';
import { runImport } from './run-import.ts';

let folder: string;
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'uptime-import-'))));
afterAll(() => rm(folder, { recursive: true, force: true }));

const site = 'https://uptime.example.com';

/** Sets these variables, and returns the faults of a manifest. */
function faultsOf(text: string, variables: readonly string[]): string[] {
  const env = Object.fromEntries(variables.map((name) => [name, 'https://secret.example.com/x']));
  const { faults, dangling } = validateManifests([{ name: 'm.yaml', text }], env, Date.now());
  return [...faults, ...dangling].map(({ message }) => message);
}

/** Imports a file of the folder, and returns the message of the error. */
async function failureOf(kind: (typeof importKinds)[number], file: string): Promise<string> {
  try {
    const imported = await runImport(importers[kind], await openSource(file, folder), site);
    return `imported ${imported.count}`;
  } catch (error) {
    expect(error).toBeInstanceOf(CliError);
    return (error as CliError).message;
  }
}

describe('kuma.db', () => {
  test('kuma.db is imported with its monitors, notifications, tags and pages, and the file is not changed', async () => {
    const path = join(folder, 'kuma.db');
    const database = new DatabaseSync(path);
    database.exec(`
      create table monitor (id integer primary key, name text, active boolean, interval integer, url text, type text,
        hostname text, port integer, keyword text, maxretries integer, ignore_tls boolean, upside_down boolean,
        accepted_statuscodes_json text, headers text, parent integer, timeout double,
        database_connection_string text);
      create table notification (id integer primary key, name text, config text, active boolean, is_default boolean);
      create table monitor_notification (monitor_id integer, notification_id integer);
      create table tag (id integer primary key, name text);
      create table monitor_tag (monitor_id integer, tag_id integer, value text);
      create table status_page (id integer primary key, slug text, title text, theme text, icon text);
      create table incident (id integer primary key, title text);
      create table "group" (id integer primary key, name text, status_page_id integer);
      create table monitor_group (monitor_id integer, group_id integer);
      create table maintenance (id integer primary key, title text);
      insert into monitor (id, name, active, interval, url, type, maxretries, accepted_statuscodes_json, headers, parent, timeout, upside_down)
        values (1, 'Shop', 1, 60, 'https://shop.example.com', 'http', 1, '["2xx","200-204"]', '{"X-Token":"hush-hush"}', 3, 48.5, 0);
      insert into monitor (id, name, active, interval, url, type, upside_down)
        values (4, 'Canary', 1, 60, 'https://canary.example.com', 'http', 1);
      insert into monitor (id, name, active, interval, type, database_connection_string)
        values (2, 'Database', 0, 20, 'postgres', 'postgres://ada:hush-hush@db.example.com/shop');
      insert into monitor (id, name, active, interval, type) values (3, 'Web', 1, 60, 'group');
      insert into notification values (7, 'Chat', '{"type":"slack","slackwebhookURL":"https://hooks.example.com/hush-hush"}', 0, 1);
      insert into notification values (8, 'Damaged', '{', 1, 0);
      insert into monitor_notification values (1, 7), (2, 7), (3, 7), (1, 8);
      insert into tag values (1, 'team');
      insert into monitor_tag values (1, 1, 'web'), (2, 1, '');
      insert into status_page values (1, 'shop', 'Shop status', 'dark', '/upload/logo.png');
      insert into incident values (1, 'Slow');
      insert into "group" values (1, 'All', 1);
      insert into monitor_group values (2, 1), (1, 1);
      insert into maintenance values (1, 'Sundays');
    `);
    database.close();
    const before = await readFile(path);
    const { text, variables, notes, count } = await runImport(
      importers.kuma,
      await openSource('kuma.db', folder),
      site,
    );
    expect(await readFile(path)).toEqual(before);
    expect(faultsOf(text, variables)).toEqual([]);
    expect(count).toBe(5);
    expect(text).not.toContain('hush-hush');
    for (const part of [
      'host: db.example.com',
      'port: 5432',
      'group: Web',
      'team: web',
      'expectedStatus: 200-204',
      'slug: shop',
      'enabled: false',
    ])
      expect(text).toContain(part);
    const noteLines = notes.map(({ level, about, text: what }) => `${level} ${about}: ${what}`).join('\n');
    expect(noteLines).toMatch(/lost Canary: the whole monitor: it is upside down/);
    expect(noteLines).toMatch(/lost Damaged: the channel/);
    expect(noteLines).toMatch(/lost null: history/);
    expect(noteLines).toMatch(/lost null: maintenance/);
    expect(noteLines).toMatch(/lost null: incidents/);
    expect(noteLines).toMatch(/changed Chat: it was the default/);
    expect(noteLines).toMatch(/lost Shop status: its theme dark/);
    expect(noteLines).toMatch(/lost Shop status: its icon/);
  });

  test("the import of another program's database, a damaged database or an empty file fails with an error message", async () => {
    const other = new DatabaseSync(join(folder, 'other.db'));
    other.exec('create table x (id integer)');
    other.close();
    await writeFile(join(folder, 'damaged.db'), `SQLite format 3\0${'x'.repeat(5000)}`);
    await writeFile(join(folder, 'empty.db'), '');
    expect(await failureOf('kuma', 'other.db')).toContain('with a table `monitor`');
    expect(await failureOf('kuma', 'damaged.db')).toContain('cannot be read as SQLite');
    expect(await failureOf('kuma', 'empty.db')).toContain('is not valid JSON');
  });
});

describe.each(importKinds)('%s', (kind) => {
  test('hostile files make the import fail with an error message', async () => {
    await writeFile(join(folder, 'binary'), Buffer.from([0xff, 0xfe, 0, 1, 2]));
    await writeFile(join(folder, 'nothing'), '');
    await writeFile(join(folder, 'list'), '[1, 2, 3]\n');
    await writeFile(join(folder, 'deep'), `x: ${'['.repeat(3000)}`);
    await writeFile(join(folder, 'deep-json'), '['.repeat(5000));
    const bomb = Array.from(
      { length: 30 },
      (_, i) => `a${i}: &a${i} [${'*a'.concat(String(Math.max(0, i - 1)), ',').repeat(9)}]`,
    );
    await writeFile(join(folder, 'bomb'), ['a: &a0 [x]', ...bomb.slice(1)].join('\n'));
    const large = await open(join(folder, 'large'), 'w');
    await large.close();
    await truncate(join(folder, 'large'), 100 * 1024 * 1024);
    for (const file of ['binary', 'nothing', 'list', 'deep', 'deep-json', 'bomb', 'large']) {
      const message = await failureOf(kind, file);
      expect(message).toMatch(/is not (?:valid|UTF-8|the right kind)|is too large/);
      expect(message.length).toBeLessThan(500);
    }
    expect(await failureOf(kind, '.')).toContain('is not a file');
  });

  test('the import writes a valid manifest for any content of the file', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.dictionary(field, value, { maxKeys: 8 }), { minLength: 1, maxLength: 4 }),
        async (items) => {
          const text = kind === 'crontab' ? items.map(crontabLine).join('\n') : JSON.stringify(wrap(kind, items));
          const file = join(folder, `any-${kind}`);
          await writeFile(file, text);
          const source: ImportSource = await openSource(file, folder);
          try {
            const imported = await runImport(importers[kind], source, site);
            if (imported.count > 0) expect(faultsOf(imported.text, imported.variables)).toEqual([]);
          } catch (error) {
            if (!(error instanceof CliError)) throw error;
          }
        },
      ),
      { numRuns: 25 },
    );
  });
});

/** Generates names of fields: names that the other programs use, and unknown names. */
const field = fc.constantFrom(
  ...'name group url type hostname port kind frequency interval timeout schedule grace tags slug method headers body conditions alerts request assertions dns client retry check expectedStatusCodes keyword active config id notificationIDList targets labels heartbeat status description __proto__ constructor'.split(
    ' ',
  ),
);
const word = fc.constantFrom(
  ...'http tcp dns ping push postgres slack keyword https://a.example.com tcp://b.example.com:1 icmp://c 10s 1m30s GET 200 * */5 ${NAME} $NAME 0 -1 99999999999 true [STATUS]==200 [STATUS]<300 \u0007 \ue000X\ue001'.split(
    ' ',
  ),
);
const leaf = fc.oneof(word, fc.string({ maxLength: 12 }), fc.integer(), fc.boolean(), fc.constant(null));
const value = fc.oneof(
  { weight: 4, arbitrary: leaf },
  fc.array(leaf, { maxLength: 3 }),
  fc.dictionary(field, leaf, { maxKeys: 4 }),
  fc.array(fc.dictionary(field, leaf, { maxKeys: 4 }), { maxLength: 2 }),
);

function wrap(kind: string, items: readonly Record<string, unknown>[]): unknown {
  const alerting = Object.fromEntries(['slack', 'email', 'custom', 'ntfy'].map((type) => [type, items[0]]));
  return {
    kuma: { monitorList: items, notificationList: items },
    gatus: { endpoints: items, 'external-endpoints': items, alerting },
    upptime: { sites: items, 'status-website': items[0] },
    healthchecks: { checks: items },
    openstatus: Object.fromEntries(items.map((item, i) => [String(i), { request: items[0], ...item }])),
    blackbox: {
      scrape_configs: items.map((item) => ({ ...item, params: { module: ['http_2xx'] }, static_configs: items })),
    },
  }[kind];
}

const crontabLine = (item: Record<string, unknown>, i: number): string =>
  i % 2 === 0 ? `*/${i + 1} ${JSON.stringify(item).slice(1, 20)} * * *` : `0 1 * * ${i} ${JSON.stringify(item)}`;
