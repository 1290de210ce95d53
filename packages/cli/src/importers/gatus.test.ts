import { describe, expect, test } from 'vitest';
import type { Fields } from '../kinds/kind.ts';
import { importConfig } from '../testing/import-config.ts';

const url = 'https://a.example/';

describe('an alert of Gatus', () => {
  const alerting = { slack: { 'webhook-url': 'https://hooks.example.com/x' }, email: { to: 'a@b.example' } };
  const rulesOf = async (...alerts: Fields[]) => {
    const { rules, notes } = await importConfig('gatus', { alerting, endpoints: [{ name: 'A', url, alerts }] });
    return { rules, notes: notes.map(({ about, text }) => `${about}: ${text}`) };
  };
  test('an alert of Gatus becomes a rule for each provider and threshold', async () => {
    const { rules } = await rulesOf(
      { type: 'slack', 'failure-threshold': 2, 'send-on-resolved': true },
      { type: 'email' },
    );
    expect(rules).toMatchObject([
      { name: 'slack after 2', monitors: ['a'], channels: ['alerting.slack'], consecutiveFailures: 2 },
      { name: 'email after 3', monitors: ['a'], channels: ['alerting.email'], notifyOnRecovery: false },
    ]);
  });
  test('an alert of Gatus has a note about each setting that cannot be imported', async () => {
    const { notes } = await rulesOf({
      type: 'slack',
      'success-threshold': 2,
      'provider-override': { 'webhook-url': 'x' },
      tone: 'loud',
    });
    expect(notes).toEqual([
      'A: `alerts.slack.tone`: there is no such setting here',
      'A: `success-threshold`: the first passed round ends an outage',
      'A: `provider-override`: add a channel for it',
      'alerting.email: no endpoint uses it',
    ]);
  });
  test('an alert of Gatus becomes no rule if its provider is not configured or is unknown', async () => {
    const { rules, notes } = await rulesOf({ type: 'discord' }, { type: 'carrier-pigeon' });
    expect(rules).toEqual([]);
    expect(notes).toEqual([
      'alerting.slack: no endpoint uses it',
      'alerting.email: no endpoint uses it',
      'alerting.discord: alerts use it, but it is not configured',
      'alerting.carrier-pigeon: channels of this type are not imported',
    ]);
  });
});

describe('an endpoint of Gatus', () => {
  const read = async (fields: Fields) => {
    const { monitors, notes } = await importConfig('gatus', { endpoints: [{ name: 'A', url, ...fields }] });
    return { monitor: monitors[0], notes: notes.map(({ level, text }) => `${level}: ${text}`) };
  };
  const connected = { conditions: ['[CONNECTED] == true'] };
  test.each<[string, Fields, Fields, string[]]>([
    [
      'with the scheme tcp',
      { url: 'tcp://a.example:22', ...connected },
      { type: 'tcp', host: 'a.example', port: 22 },
      [],
    ],
    [
      'with the scheme tcp and an IPv6 address',
      { url: 'tcp://[2001:db8::1]:22', ...connected },
      { type: 'tcp', host: '2001:db8::1', port: 22 },
      [],
    ],
    [
      'with the scheme tls',
      { url: 'tls://a.example:443', ...connected },
      { type: 'tcp', port: 443 },
      ['changed: tls: only the connection is checked, not the TLS handshake'],
    ],
    [
      'with the scheme icmp',
      { url: 'icmp://a.example', ...connected },
      { type: 'ping', host: 'a.example' },
      ['changed: icmp: a ping monitor opens a TCP connection to port 80'],
    ],
    [
      'with a DNS query',
      { url: '1.1.1.1', dns: { 'query-name': 'a.example.', 'query-type': 'MX' }, conditions: [] },
      { type: 'dns', hostname: 'a.example', recordType: 'MX', nameserver: '1.1.1.1' },
      [],
    ],
    [
      'with a GraphQL query',
      { graphql: true, body: '{ a }', method: 'POST', conditions: ['[STATUS] == 200'] },
      { method: 'POST', expectedStatus: '200' },
      ['changed: graphql: Gatus sends the body as JSON, `{"query": …}`; set the variable for the body to this JSON'],
    ],
    [
      'in a group',
      { group: 'web', conditions: ['[STATUS] == 200'] },
      { name: 'web / A', labels: { group: 'web' } },
      [],
    ],
    [
      'that accepts any certificate',
      { client: { insecure: true, timeout: '5s', proxy: 'x' }, conditions: ['[STATUS] == 200'] },
      { verifyTls: false, timeout: 5 },
      ['lost: `client.proxy`: there is no such setting here'],
    ],
    ['that is disabled', { enabled: false, conditions: ['[STATUS] == 200'] }, { paused: true }, []],
    [
      'with the scheme icmp and an IPv6 address without brackets',
      { url: 'icmp://2001:db8::1', ...connected },
      { type: 'ping', host: '2001:db8::1' },
      ['changed: icmp: a ping monitor opens a TCP connection to port 80'],
    ],
    [
      'with a timeout that is too long',
      { client: { timeout: '3m' }, conditions: ['[STATUS] == 200'] },
      { timeout: 120 },
      ['changed: the timeout of 180 s becomes 120 s, the maximum'],
    ],
    [
      'with a condition about a longer time than its timeout',
      { client: { timeout: '5s' }, conditions: ['[RESPONSE_TIME] < 30000'] },
      { timeout: 5 },
      ['changed: [RESPONSE_TIME] < 30000: a slower answer exceeds the timeout and fails'],
    ],
    [
      'with variables in its headers and its body',
      { headers: { 'X-Key': '${KEY}' }, body: '${KEY}', conditions: ['[STATUS] == 200'] },
      { headers: { 'X-Key': '${KEY}' }, body: '${KEY}' },
      [],
    ],
    [
      'with a disabled alert',
      { alerts: [{ type: 'slack', enabled: false }], conditions: ['[STATUS] == 200'] },
      { type: 'http' },
      ['lost: `alerts.slack`: it is not enabled'],
    ],
    [
      'with the scheme tcp and a body',
      { url: 'tcp://a.example:22', body: 'x', ...connected },
      { type: 'tcp' },
      ['lost: the body: this check sends nothing'],
    ],
  ])('an endpoint of Gatus %s is imported', async (_, fields, expected, notes) => {
    const found = await read(fields);
    expect(found.monitor).toMatchObject(expected);
    expect(found.notes).toEqual(notes);
  });

  test.each(['ssh', 'ws', 'sctp', 'udp'])(
    'an endpoint of Gatus with the scheme %s becomes no monitor, and gets a note',
    async (scheme) => {
      expect(await read({ url: `${scheme}://a.example:22` })).toMatchObject({
        monitor: undefined,
        notes: [`lost: the whole monitor: there is no check for ${scheme}://`],
      });
    },
  );
});
