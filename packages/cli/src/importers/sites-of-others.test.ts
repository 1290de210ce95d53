import { describe, expect, test } from 'vitest';
import type { Fields } from '../kinds/kind.ts';
import { importConfig } from '../testing/import-config.ts';

/** Imports a configuration. Returns its first monitor, its first page, and the notes about single items. */
async function imported(kind: 'upptime' | 'openstatus', config: object) {
  const { monitors, pages, notes, variables } = await importConfig(kind, config);
  return {
    monitor: monitors[0],
    page: pages[0],
    variables,
    notes: notes.map(({ level, text }) => `${level}: ${text}`),
  };
}

const url = 'https://a.example/';

describe('a site of Upptime', () => {
  const site = (fields: Fields, more: Fields = {}) =>
    imported('upptime', { sites: [{ name: 'A', url, ...fields }], ...more });
  test.each<[string, Fields, Fields, string[]]>([
    ['that follows redirects', {}, { type: 'http', expectedStatus: '200-299', interval: 300 }, []],
    [
      'that follows no redirects',
      { maxRedirects: 0 },
      { expectedStatus: '200-399' },
      ['changed: `maxRedirects: 0`: a redirect passes without being followed'],
    ],
    ['with status codes', { expectedStatusCodes: [200, 201, 404] }, { expectedStatus: '200,201,404' }, []],
    [
      'with the codes of redirects, which it follows,',
      { expectedStatusCodes: [200, 301] },
      { expectedStatus: '200' },
      [],
    ],
    [
      'with the codes of redirects, which it does not follow,',
      { expectedStatusCodes: [301], maxRedirects: 0 },
      { expectedStatus: '301' },
      [],
    ],
    ['with a lower-case method', { method: 'post', body: 'x' }, { method: 'POST' }, []],
    [
      'with headers',
      { headers: ['Accept: text/html', 'X-A: b: c'] },
      { headers: { Accept: 'text/html', 'X-A': '${A_X_A}' } },
      [],
    ],
    ['with a header without a colon', { headers: ['Accept'] }, { type: 'http' }, ['lost: a header without a colon']],
    ['with headers that are not a list', { headers: 'Accept: x' }, { type: 'http' }, []],
    ['that accepts any certificate', { __dangerous__disable_verify_peer: true }, { verifyTls: false }, []],
    ['that checks the certificate', { __dangerous__insecure: false }, { type: 'http' }, []],
    ['with an expected text', { __dangerous__body_down_if_text_missing: 'ok' }, { bodyContains: 'ok' }, []],
    [
      'with a port check',
      { check: 'tcp-ping', url: 'a.example', port: 22 },
      { type: 'tcp', host: 'a.example', port: 22 },
      [],
    ],
    ['with a port check that names no port', { check: 'tcp-ping', url: 'a.example' }, { type: 'tcp', port: 80 }, []],
    [
      'with a ping check',
      { check: 'icmp-ping', url: 'a.example' },
      { type: 'ping', host: 'a.example' },
      ['changed: a ping monitor opens a TCP connection to port 80'],
    ],
    [
      'with a ping check of a port',
      { check: 'icmp-ping', url: 'a.example', port: '443' },
      { type: 'tcp', port: 443 },
      [],
    ],
    [
      'that is checked only for its certificate',
      { check: 'ssl', url: 'a.example', port: 8443 },
      { type: 'http', url: 'https://a.example:8443' },
      ['changed: `check: ssl`: the page is requested, and its certificate is watched'],
    ],
    [
      'that is checked only for its certificate, at the usual port',
      { check: 'ssl', url: 'a.example', port: 443 },
      { url: 'https://a.example' },
      ['changed: `check: ssl`: the page is requested, and its certificate is watched'],
    ],
    [
      'with a WebSocket check',
      { check: 'ws', url: 'wss://a.example' },
      {},
      ['lost: the whole monitor: there is no check for WebSocket'],
    ],
    ['with tags', { tags: ['eu', 5, ''] }, { labels: { '5': 'true', eu: 'true' } }, []],
    [
      'with a port check and tags',
      { check: 'tcp-ping', url: 'a.example', tags: ['eu'] },
      { labels: { eu: 'true' } },
      [],
    ],
    [
      'that is checked only for its certificate, with a scheme in its address',
      { check: 'ssl', url: 'HTTPS://a.example/x', port: 8443 },
      { url: 'HTTPS://a.example/x' },
      ['changed: `check: ssl`: the page is requested, and its certificate is watched'],
    ],
    ['with an icon', { icon: 'x.png' }, { type: 'http' }, ['lost: `icon`: status pages show names only']],
    [
      'with a maximum response time',
      { maxResponseTime: 500 },
      { type: 'http' },
      ['lost: `maxResponseTime`: a slow answer is not a failure; see `timeout`'],
    ],
    [
      'with checks from other places',
      { type: 'globalping' },
      { type: 'http' },
      ['lost: `type: globalping`: checks run from your own regions'],
    ],
    ['with an unknown option', { cookies: true }, { type: 'http' }, ['lost: `cookies`: there is no such setting here']],
  ])('a site of Upptime %s leads to the right monitor and the right notes', async (_, fields, expected, notes) => {
    const found = await site(fields);
    expect(found.monitor ?? {}).toMatchObject(expected);
    expect(found.notes).toEqual(notes);
  });

  test('a site of Upptime gets its secrets from environment variables with the same names', async () => {
    const { monitor, variables } = await site({ url: 'https://a.example/?t=$TOKEN', headers: ['X-Key: $KEY'] });
    expect(monitor).toMatchObject({ url: 'https://a.example/?t=${TOKEN}', headers: { 'X-Key': '${KEY}' } });
    expect(variables).toEqual(['KEY', 'TOKEN']);
  });

  test('a site of Upptime becomes a monitor with the interval of the schedule', async () => {
    expect((await site({}, { workflowSchedule: { uptime: '*/10 * * * *' } })).monitor).toMatchObject({ interval: 600 });
    expect((await site({}, { workflowSchedule: { uptime: 'often' } })).monitor).toMatchObject({ interval: 300 });
  });

  test('a site of Upptime is on a status page whose address is made from the name of the Upptime website', async () => {
    const { page, notes } = await site(
      {},
      { 'status-website': { name: '  Ada & Co. ', cname: 'status.example.com', theme: 'dark' } },
    );
    expect(page).toMatchObject({ slug: 'ada-co', customDomain: 'status.example.com', monitors: ['a'] });
    expect(notes).toEqual(['lost: `status-website.theme`: the page shows monitors, incidents and windows only']);
    expect((await site({}, { 'status-website': { name: '短い' } })).page).toMatchObject({ slug: 'status' });
  });
});

describe('a monitor of OpenStatus', () => {
  const read = (fields: Fields) =>
    imported('openstatus', { a: { name: 'A', frequency: '1m', kind: 'http', request: { url }, ...fields } });
  const assertion = (kind: string, compare: string, target: unknown) => ({ assertions: [{ kind, compare, target }] });
  test.each<[string, Fields, Fields, string[]]>([
    ['with a frequency', { frequency: '30s' }, { interval: 30 }, []],
    ['with a timeout in milliseconds', { timeout: 4500 }, { timeout: 5 }, []],
    [
      'with a timeout that is too long',
      { timeout: 500_000 },
      { timeout: 120 },
      ['changed: the timeout of 500 s becomes 120 s, the maximum'],
    ],
    ['with the longest possible timeout', { timeout: 120_000 }, { timeout: 120 }, []],
    ['with a DNS check', { kind: 'dns', request: { uri: 'a.example' } }, { type: 'dns', hostname: 'a.example' }, []],
    [
      'with variables in its headers and its body',
      { request: { url, method: 'put', headers: { 'X-Key': '${KEY}' }, body: '{"k":"${KEY}"}' } },
      { method: 'PUT', headers: { 'X-Key': '${KEY}' }, body: '{"k":"${KEY}"}' },
      [],
    ],
    ['with a name and a description', { name: 'B', description: 'All.' }, { name: 'B', description: 'All.' }, []],
    ['with a status', assertion('statusCode', 'eq', 204), { expectedStatus: '204' }, []],
    [
      'with a condition that the status is below a code',
      assertion('statusCode', 'lt', 300),
      { expectedStatus: '100-299' },
      [],
    ],
    [
      'with a condition that the status is at most a code',
      assertion('statusCode', 'lte', 404),
      { expectedStatus: '100-299,400-404' },
      [],
    ],
    [
      'with a condition that the status is above a code',
      assertion('statusCode', 'gt', 399),
      { expectedStatus: '400-599' },
      [],
    ],
    [
      'with a condition that the status is at least a code',
      assertion('statusCode', 'gte', 200),
      { expectedStatus: '200-299,400-599' },
      [],
    ],
    [
      'with the status of a redirect that it does not follow',
      { request: { url, followRedirects: false }, ...assertion('statusCode', 'eq', '301') },
      { expectedStatus: '301' },
      ['changed: `followRedirects`: redirects are followed, unless `expectedStatus` names a 3xx'],
    ],
    [
      'with the status of a redirect that it follows',
      assertion('statusCode', 'eq', 301),
      { type: 'http' },
      ['lost: the assertion statusCode eq 301: there is no such condition here'],
    ],
    [
      'with a condition that excludes a status',
      assertion('statusCode', 'not_eq', 500),
      { type: 'http' },
      ['lost: the assertion statusCode not_eq 500: there is no such condition here'],
    ],
    [
      'with a comparison named like an inherited property',
      assertion('statusCode', 'constructor', 200),
      { type: 'http' },
      ['lost: the assertion statusCode constructor 200: there is no such condition here'],
    ],
    ['with an expected text', assertion('textBody', 'contains', 'ok'), { bodyContains: 'ok' }, []],
    [
      'with two expected texts',
      {
        assertions: [
          { kind: 'textBody', compare: 'contains', target: 'a' },
          { kind: 'textBody', compare: 'contains', target: 'b' },
        ],
      },
      { bodyContains: 'a' },
      ['lost: the assertion textBody contains b: there is no such condition here'],
    ],
    [
      'with a condition about a header',
      assertion('header', 'eq', 'x'),
      { type: 'http' },
      ['lost: the assertion header eq x: there is no such condition here'],
    ],
    ['with many retries', { retry: 9 }, { retries: 5 }, ['changed: 9 retries become 5, the maximum']],
    [
      'with a port check',
      { kind: 'tcp', request: { host: 'a.example', port: 5432 } },
      { type: 'tcp', host: 'a.example', port: 5432 },
      [],
    ],
    ['that is disabled', { active: false }, { paused: true }, []],
    [
      'with settings that only become notes',
      { regions: ['ams'], degradedAfter: 500, public: true, openTelemetry: {} },
      { type: 'http' },
      [
        'lost: `regions`: checks run from your own regions',
        'lost: `degradedAfter`: a slow answer is not a failure',
        'changed: `public`: put the monitor on one of your `statusPages:`',
        'lost: `openTelemetry`: there is no such setting here',
      ],
    ],
  ])('a monitor of OpenStatus %s is imported', async (_, fields, expected, notes) => {
    const found = await read(fields);
    expect(found.monitor).toMatchObject(expected);
    expect(found.notes).toEqual(notes);
  });

  test('a monitor of OpenStatus of an unknown kind becomes no monitor, and gets a note', async () => {
    expect(await read({ kind: 'grpc', request: {} })).toMatchObject({
      monitor: undefined,
      notes: ['lost: the whole monitor: there is no check of kind grpc'],
    });
  });
});
