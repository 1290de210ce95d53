import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { ImportKind } from './import-kinds.ts';
import { importers } from './index.ts';
import { openSource } from './read-source.ts';
import { runImport } from './run-import.ts';

let folder: string;
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'uptime-formats-'))));
afterAll(() => rm(folder, { recursive: true, force: true }));

type Item = Record<string, unknown>;

/** Imports a file. Returns the lists of the new manifest (the monitors by their keys), and the notes as lines. */
async function imported(kind: ImportKind, content: string | null, file = `${kind}.sample`) {
  if (content !== null) await writeFile(join(folder, file), content);
  const { text, notes } = await runImport(
    importers[kind],
    await openSource(file, folder),
    'https://uptime.example.com',
  );
  const lists = parse(text) as Record<string, Item[] | undefined>;
  const byKey = (list: string) => Object.fromEntries((lists[list] ?? []).map((item) => [item['key'], item]));
  return {
    monitors: byKey('monitors'),
    rules: lists['alertRules'] ?? [],
    pages: lists['statusPages'] ?? [],
    channels: lists['channels'] ?? [],
    notes: notes.map(({ level, about, text: what }) => `${level} ${about}: ${what}`).join('\n'),
  };
}

describe('Uptime Kuma 2.5', () => {
  test('a database of Uptime Kuma 2.5 is imported with authentication methods, encodings, conditions, new types and pages', async () => {
    const database = new DatabaseSync(join(folder, 'kuma.db'));
    database.exec(`
      create table monitor (id integer primary key, name text, active boolean default 1, interval integer default 60, url text,
        type text, hostname text, port integer, keyword text, maxredirects integer default 10, auth_method text,
        basic_auth_user text, basic_auth_pass text, bearer_token text, body text, http_body_encoding text, headers text,
        accepted_statuscodes_json text, conditions text, dns_resolve_type text, dns_resolve_server text, subtype text,
        cache_bust boolean);
      create table notification (id integer primary key, name text, config text);
      create table monitor_notification (monitor_id integer, notification_id integer);
      create table status_page (id integer primary key, slug text, title text, description text, published boolean,
        footer_text text, custom_css text);
      create table status_page_cname (id integer primary key, status_page_id integer, domain text);
      create table heartbeat (id integer primary key, monitor_id integer);
      insert into monitor (name, type, url, auth_method, bearer_token, basic_auth_user, body, cache_bust)
        values ('Bearer', 'http', 'https://a.example.com', 'bearer', 'hush', 'left-over', '{}', 1);
      insert into monitor (name, type, url, basic_auth_user, auth_method, body, http_body_encoding, accepted_statuscodes_json)
        values ('Form', 'http', 'https://b.example.com', 'left-over', null, 'a=1', 'form', '["200-399"]');
      insert into monitor (name, type, url, maxredirects, accepted_statuscodes_json)
        values ('Moved', 'http', 'https://c.example.com', 0, '["301"]');
      insert into monitor (name, type, hostname, dns_resolve_type, dns_resolve_server, conditions) values
        ('Name', 'dns', 'example.com', 'A', '1.1.1.1', '[{"type":"expression","variable":"record","operator":"equals","value":"192.0.2.1","andOr":"and"}]'),
        ('Names', 'dns', 'example.com', 'A', '1.1.1.1', '[{"type":"expression","variable":"record","operator":"contains","value":"192","andOr":"and"}]');
      insert into monitor (name, type, hostname, port) values ('Post', 'smtp', 'mail.example.com', 587), ('Queue', 'mqtt', 'mqtt://queue.example.com', null);
      insert into monitor (name, type, subtype, url, keyword) values ('Far', 'globalping', 'http', 'https://d.example.com', 'welcome');
      insert into notification values (1, 'Text', '{"type":"twilio","twilioToNumber":"+15550100"}'),
        (2, 'Mail', '{"type":"smtp","smtpTo":"a@example.com, b@example.com"}');
      insert into monitor_notification values (1, 1), (1, 2);
      insert into status_page values (1, 'shop', 'Shop', 'All of it', 1, 'x', null), (2, 'draft', 'Draft', null, 0, null, null);
      insert into status_page_cname values (1, 1, 'status.example.com');
    `);
    database.close();
    const { monitors, channels, pages, notes } = await imported('kuma', null, 'kuma.db');
    expect(monitors['bearer']?.['headers']).toEqual({
      'Content-Type': 'application/json',
      Authorization: expect.stringMatching(/^\$\{\w+\}$/) as unknown,
    });
    expect(notes).toContain('lost Bearer: the random parameter against caches');
    expect(monitors['form']).toMatchObject({ expectedStatus: '200-299' });
    expect(monitors['form']?.['headers']).toEqual({ 'Content-Type': 'application/x-www-form-urlencoded' });
    expect(monitors['moved']).toMatchObject({ expectedStatus: '301' });
    expect(monitors['name']).toMatchObject({ expectedValue: '192.0.2.1' });
    expect(monitors['names']).not.toHaveProperty('expectedValue');
    expect(notes).toContain('lost Names: the conditions');
    expect(monitors['post']).toMatchObject({ type: 'tcp', host: 'mail.example.com', port: 587 });
    expect(monitors['queue']).toMatchObject({ type: 'tcp', host: 'queue.example.com', port: 1883 });
    expect(monitors['far']).toMatchObject({ type: 'http', bodyContains: 'welcome' });
    expect(notes).toContain('changed Far: Globalping');
    expect(channels).toMatchObject([{ type: 'sms' }, { type: 'email' }]);
    expect(notes).toContain('lost Mail: all addresses except the first');
    expect(pages).toMatchObject([{ slug: 'shop', description: 'All of it' }]);
    expect(notes).toContain('lost Shop: its domain status.example.com');
    expect(notes).toContain('lost Draft: the page: it is not published');
    expect(notes).toContain('changed null: history: the operator of the server imports it');
  });
});

describe('Gatus 5', () => {
  test('a configuration of Gatus 5 is imported with reminders, labels, defaults of providers, and the status codes that its conditions accept', async () => {
    const { monitors, rules, notes } = await imported(
      'gatus',
      `
alerting:
  slack:
    webhook-url: https://hooks.example.com/x
    default-alert: { failure-threshold: 5, send-on-resolved: true, minimum-reminder-interval: 30m }
endpoints:
  - name: any
    url: https://a.example.com
    extra-labels: { team: web }
    conditions: ["[CONNECTED] == true"]
    maintenance-windows: [{ start: "23:00", duration: 1h }]
    alerts: [{ type: slack }]
  - name: below
    url: https://b.example.com
    conditions: ["[STATUS] < 500"]
    alerts: [{ type: slack, failure-threshold: 2 }]
  - { name: socket, url: "tcp://c.example.com:25", body: EHLO, conditions: ["[CONNECTED] == true"] }
tunneling: {}
`,
    );
    expect(monitors['any']).toMatchObject({ labels: { team: 'web' }, expectedStatus: '200-299,400-599' });
    expect(monitors['below']).toMatchObject({ expectedStatus: '200-299,400-499' });
    expect(rules).toMatchObject([
      { monitors: ['any'], consecutiveFailures: 5, reminderInterval: 1800 },
      { monitors: ['below'], consecutiveFailures: 2, reminderInterval: 1800 },
    ]);
    for (const note of ['lost any: `maintenance-windows`', 'lost socket: the body', 'lost null: `tunneling:`'])
      expect(notes).toContain(note);
  });
});

test('monitors of OpenStatus may be a list under `monitors:`', async () => {
  const { monitors } = await imported(
    'openstatus',
    `
monitors:
  - name: Shop API
    kind: http
    frequency: 1m
    request: { url: https://a.example.com, method: GET }
    assertions: [{ kind: statusCode, compare: lt, target: 400 }]
  - name: Moved
    kind: http
    frequency: 10m
    request: { url: https://b.example.com, followRedirects: false }
    assertions: [{ kind: statusCode, compare: lte, target: 399 }]
  - { name: Database, kind: tcp, frequency: 5m, request: { host: db.example.com, port: 5432 } }
`,
  );
  expect(monitors['shop-api']).toMatchObject({ interval: 60, expectedStatus: '100-299' });
  expect(monitors['moved']).toMatchObject({ expectedStatus: '100-399' });
  expect(monitors['database']).toMatchObject({ type: 'tcp', port: 5432 });
});

test('the import of Upptime treats redirects as Upptime does, and accepts addresses without https:// for certificate checks', async () => {
  const { monitors, notes } = await imported(
    'upptime',
    `
sites:
  - { name: Plain, url: https://a.example.com }
  - { name: Codes, url: https://b.example.com, expectedStatusCodes: [200, 301, 404] }
  - { name: Stays, url: https://c.example.com, maxRedirects: 0, expectedStatusCodes: [200, 301] }
  - { name: Cert, url: d.example.com, port: 8443, check: ssl }
`,
  );
  expect(monitors['plain']).toMatchObject({ expectedStatus: '200-299' });
  expect(monitors['codes']).toMatchObject({ expectedStatus: '200,404' });
  expect(monitors['stays']).toMatchObject({ expectedStatus: '200,301' });
  expect(monitors['cert']).toMatchObject({ url: 'https://d.example.com:8443' });
  expect(notes).toContain('changed Cert: `check: ssl`');
});

test('the import of Prometheus finds the module in a label, and the target in a parameter', async () => {
  const { monitors } = await imported(
    'blackbox',
    `
scrape_configs:
  - job_name: labelled
    metrics_path: /probe
    static_configs:
      - { targets: [https://a.example.com], labels: { module: http_2xx, team: web } }
      - { targets: ["b.example.com:25"], labels: { __param_module: tcp_connect } }
  - job_name: single
    params: { module: [http_2xx], target: [https://c.example.com] }
    static_configs: [{ targets: ["127.0.0.1:9115"] }]
  - { job_name: node, static_configs: [{ targets: ["d.example.com:9100"] }] }
`,
  );
  expect(Object.values(monitors)).toMatchObject([
    { url: 'https://a.example.com', labels: { job: 'labelled', module: 'http_2xx', team: 'web' } },
    { type: 'tcp', host: 'b.example.com', port: 25, labels: { job: 'labelled' } },
    { url: 'https://c.example.com' },
  ]);
});

test('the import of a crontab accepts random times in a range, `@every_minute`, and lines that turn off logging', async () => {
  const { monitors } = await imported(
    'crontab',
    '0~59 3 * * * /usr/bin/nightly\n@every_minute /usr/bin/often\n-*/15 * * * * /usr/bin/quiet\n',
  );
  expect(monitors['nightly']).toMatchObject({ interval: 86_400 });
  expect(monitors['often']).toMatchObject({ interval: 60 });
  expect(monitors['quiet']).toMatchObject({ interval: 900 });
});

test('the import of Healthchecks reads cron schedules; its notes list filters and systemd schedules, which it cannot import', async () => {
  const check = {
    name: 'Nightly',
    slug: 'nightly',
    tags: 'db prod',
    grace: 600,
    tz: 'Europe/Riga',
    schedule: '0 3 * * *',
  };
  const { monitors, notes } = await imported(
    'healthchecks',
    JSON.stringify({
      checks: [
        { ...check, filter_default_fail: true, success_kw: 'done' },
        { ...check, name: 'Calendar', slug: 'calendar', schedule: 'Mon..Fri 03:00\nSat 04:00' },
      ],
    }),
  );
  expect(monitors['nightly']).toMatchObject({
    interval: 86_400,
    gracePeriod: 600,
    labels: { db: 'true', prod: 'true' },
  });
  expect(notes).toContain('lost Nightly: `success_kw`');
  expect(notes).toContain('lost Calendar: the whole monitor: the schedule');
  expect(monitors).not.toHaveProperty('calendar');
});
