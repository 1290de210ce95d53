import { describe, expect, test } from 'vitest';
import { createCollection } from './collection.ts';
import type { Row } from './kuma-data.ts';
import { kumaTarget } from './kuma-target.ts';

/** Converts a row to a target. Returns the target without undefined fields, and the notes about the row. */
function read(row: Row) {
  const into = createCollection();
  const target = kumaTarget(row, 'Shop', into);
  const given = target && Object.fromEntries(Object.entries(target).filter(([, value]) => value !== undefined));
  return { target: given, notes: into.notes.map(({ level, text }) => `${level}: ${text}`) };
}
const url = 'https://shop.example.com/';

describe('a web monitor', () => {
  test.each<[string, Row, object]>([
    ['only an address', {}, {}],
    ['a lower-case method', { method: 'post' }, { method: 'POST' }],
    ['the default status codes', { accepted_statuscodes_json: '["200-299"]' }, {}],
    ['other status codes', { accepted_statuscodes_json: '["200-204","404"]' }, { expectedStatus: '200-204,404' }],
    ['status codes in the form of a backup', { accepted_statuscodes_json: ['404'] }, { expectedStatus: '404' }],
    ['status codes that are not JSON', { accepted_statuscodes_json: 'x' }, {}],
    ['headers', { headers: '{"X-Team":"ops","X-Tier":1}' }, { headers: { 'X-Team': 'ops', 'X-Tier': '1' } }],
    ['headers that are not JSON', { headers: '{' }, {}],
    [
      'a name and a password',
      { basic_auth_user: 'ada', basic_auth_pass: 'hush' },
      { headers: { Authorization: 'Basic YWRhOmh1c2g=' } },
    ],
    ['a name without a password', { basic_auth_user: 'ada' }, { headers: { Authorization: 'Basic YWRhOg==' } }],
    ['a setting that accepts any certificate', { ignore_tls: 1 }, { verifyTls: false }],
    ['a setting of a backup that accepts any certificate', { ignore_tls: true }, { verifyTls: false }],
    ['a setting that checks the certificate', { ignore_tls: 0 }, {}],
  ])('a web monitor with %s is imported completely', (_, row, fields) => {
    const login = 'changed: the log-in: the header holds `Basic`, a space, and `<user>:<password>` in Base64';
    const notes = JSON.stringify(fields).includes('Basic ') ? [login] : [];
    expect(read({ type: 'http', url, ...row })).toEqual({ target: { type: 'http', url, ...fields }, notes });
  });

  test('a web monitor with a keyword becomes a monitor that expects the keyword in the body', () => {
    expect(read({ type: 'keyword', url, keyword: 'ok' }).target).toMatchObject({ bodyContains: 'ok' });
    const inverted = read({ type: 'keyword', url, keyword: 'ok', invert_keyword: 1 });
    expect(inverted.target).not.toHaveProperty('bodyContains');
    expect(inverted.notes).toEqual(['lost: the inverted keyword']);
  });

  test.each<[Row, string]>([
    [{ type: 'json-query' }, 'lost: the JSON query'],
    [{ type: 'real-browser' }, 'lost: the browser'],
    [{ maxredirects: 0 }, 'changed: the limit of 0 redirects'],
    [{ auth_method: 'ntlm', basic_auth_user: 'ada' }, 'lost: authentication by ntlm'],
    [{ auth_method: 'oauth2-cc' }, 'lost: authentication by oauth2-cc'],
  ])('a web monitor with %j gets a note about the setting that is lost', (row, note) => {
    const { target, notes } = read({ type: 'http', url, ...row });
    expect(target).toEqual({ type: 'http', url });
    expect(notes).toEqual([expect.stringContaining(note)]);
  });
});

describe('a monitor of another kind', () => {
  test.each<[Row, object]>([
    [
      { type: 'port', hostname: 'db', port: 5432 },
      { type: 'tcp', host: 'db', port: 5432 },
    ],
    [
      { type: 'port', hostname: 'db', port: '22' },
      { type: 'tcp', host: 'db', port: 22 },
    ],
    [
      { type: 'dns', hostname: 'a.example', dns_resolve_type: 'MX', dns_resolve_server: '1.1.1.1', port: 53 },
      { type: 'dns', hostname: 'a.example', recordType: 'MX', nameserver: '1.1.1.1' },
    ],
  ])('the row %j becomes %j, without a note', (row, target) => expect(read(row)).toEqual({ target, notes: [] }));

  test.each<[Row, object]>([
    [
      { type: 'ping', hostname: 'router' },
      { type: 'ping', host: 'router' },
    ],
    [
      { type: 'tailscale-ping', hostname: 'router' },
      { type: 'ping', host: 'router' },
    ],
    [{ type: 'push' }, { type: 'heartbeat' }],
    [
      { type: 'postgres', database_connection_string: 'postgres://a:b@db/x' },
      { type: 'tcp', host: 'db', port: 5432 },
    ],
    [
      { type: 'redis', database_connection_string: 'redis://db' },
      { type: 'tcp', host: 'db', port: 6379 },
    ],
    [
      { type: 'mongodb', database_connection_string: 'mongodb://db' },
      { type: 'tcp', host: 'db', port: 27_017 },
    ],
    [
      { type: 'redis', database_connection_string: 'redis://db:6380' },
      { type: 'tcp', host: 'db', port: 6380 },
    ],
    [
      { type: 'mysql', database_connection_string: 'mysql://[::1]/x' },
      { type: 'tcp', host: '::1', port: 3306 },
    ],
  ])('the row %j becomes %j, and a note says what differs', (row, target) => {
    const found = read(row);
    expect(found.target).toEqual(target);
    expect(found.notes).toEqual([expect.stringMatching(/^changed: /)]);
    expect(found.notes.join()).not.toContain('a:b');
  });

  test.each<[Row, string]>([
    [{ type: 'group' }, 'changed: a group becomes the label'],
    [{ type: 'docker' }, 'lost: the whole monitor: there is no check of type docker'],
    [{ type: 'postgres' }, 'lost: the whole monitor: there is no check of type postgres'],
    [{ type: 'constructor' }, 'lost: the whole monitor: there is no check of type constructor'],
    [{}, 'lost: the whole monitor: there is no check of type unknown'],
  ])('the row %j becomes no monitor, and gets a note', (row, note) => {
    expect(read(row)).toEqual({ target: null, notes: [expect.stringContaining(note)] });
  });
});
