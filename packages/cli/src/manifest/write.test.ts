import { validateMonitor } from '@uptime/sdk/contract';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createModelServer } from '../testing/model-server.ts';
import { kinds } from '../kinds/index.ts';
import { planChanges } from '../plan/plan.ts';
import { validateManifests } from './validate.ts';
import { createSecretVariables } from './secret-variables.ts';
import { writeManifest } from './write.ts';

const { monitor } = kinds;
const siteUrl = 'https://uptime.example.com';

const text = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }),
  fc.constantFrom(
    'yes',
    '007',
    '~',
    '${A}',
    '$$',
    '$${B',
    '- a',
    'a: b',
    '# c',
    ' d ',
    '1e3',
    '"',
    "'",
    '2026-01-01',
    '<<',
    '\u009b2J',
  ),
);

test('an apply of an exported manifest changes nothing, for any texts in it', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record(
        {
          name: text,
          bodyContains: text,
          labels: fc.dictionary(text, text),
          expectedStatus: fc.constantFrom('200', '2xx'),
        },
        { requiredKeys: ['name'] },
      ),
      async (fields) => {
        const given = { type: 'http', url: 'http://a.example/', ...fields };
        fc.pre(validateMonitor(given).ok);
        const server = createModelServer();
        await server.writerOf(monitor).create(given);
        const remotes = server.remotes(monitor);
        const written = writeManifest(remotes, { siteUrl, showSecrets: true });
        expect(written).not.toMatch(/[\u007f-\u009f]/);
        const { items, faults } = validateManifests([{ name: 'm.yaml', text: written }], { A: 'hush', B: 'hush' });
        expect(faults).toEqual([]);
        expect(planChanges(items, remotes)).toMatchObject({ ok: true, plan: { changes: [] } });
      },
    ),
    { numRuns: 300 },
  );
});

test('an export writes secrets as variables, and if these are set, an apply of the export changes nothing', async () => {
  const server = createModelServer();
  const { create } = server.writerOf(monitor);
  const http = { type: 'http', url: 'https://a.example/' };
  const secret = 'a ${secret} of $$';
  await create({ ...http, key: 'shop', name: 'Shop', headers: { Authorization: secret, Accept: '*/*' } });
  await create({ ...http, name: '1. Lager', headers: { 'X-Api-Key': '0123', 'X-Token': '' } });
  await create({ ...http, name: '2. Lager', headers: { cookie: secret }, labels: { author: 'ada' } });
  await create({ ...http, name: 'Shop', url: 'https://ada:geheim$${@a.example/?a=$${b}' });
  await create({ ...http, name: 'shop!', headers: { authorization: 'another' } });
  await create({
    ...http,
    name: 'Own',
    url: 'https://ghp_hidden@a.example/?page=2&api_key=hidden1&x=$${b}&sig=hidden2#top',
    method: 'POST',
    headers: { 'X-Tenant': 'hidden3', 'X-Auth-Token': 'hidden4', Accept: 'text/plain' },
    body: 'hidden5\n',
  });
  const variables = createSecretVariables();
  const text = writeManifest(server.remotes(monitor), { siteUrl, variables });
  expect(text).not.toMatch(/secret|0123|geheim|another|hidden/);
  expect(text).toContain('author: ada');
  expect(text).toContain('Accept: text/plain');
  expect(text).toContain(
    'url: "https://${OWN_USER}@a.example/?page=2&api_key=${OWN_API_KEY}&x=$$$${b}&sig=${OWN_SIG}#top"',
  );
  expect(variables.names()).toEqual([
    'SHOP_AUTHORIZATION',
    '_1_LAGER_X_API_KEY',
    'SHOP_PASSWORD',
    'SHOP_AUTHORIZATION_2',
    'OWN_USER',
    'OWN_API_KEY',
    'OWN_SIG',
    'OWN_X_TENANT',
    'OWN_X_AUTH_TOKEN',
    'OWN_BODY',
  ]);
  const env = {
    SHOP_AUTHORIZATION: secret,
    _1_LAGER_X_API_KEY: '0123',
    SHOP_PASSWORD: 'geheim$${',
    SHOP_AUTHORIZATION_2: 'another',
    OWN_USER: 'ghp_hidden',
    OWN_API_KEY: 'hidden1',
    OWN_SIG: 'hidden2',
    OWN_X_TENANT: 'hidden3',
    OWN_X_AUTH_TOKEN: 'hidden4',
    OWN_BODY: 'hidden5\n',
  };
  const { items, faults } = validateManifests([{ name: 'm.yaml', text }], env);
  expect(faults).toEqual([]);
  expect(planChanges(items, server.remotes(monitor))).toMatchObject({ ok: true, plan: { changes: [] } });
});

test.each([
  ['channels', kinds.channel, { type: 'opsgenie', name: 'Uptime', config: { apiKey: 'hush-hush-hush-hush-hush' } }],
  ['monitors', monitor, { type: 'http', name: 'GitHub', url: 'https://a.example/', headers: { Token: 'hush' } }],
])('an export of %s uses only variables that a manifest may read', async (_, kind, given) => {
  const server = createModelServer();
  await server.writerOf(kind).create(given);
  const written = writeManifest(server.remotes(kind), { siteUrl });
  const names = [...written.matchAll(/\$\{(\w+)\}/g)].map(([, name]) => name!);
  expect(names).toHaveLength(1);
  const env = Object.fromEntries(names.map((name) => [name, 'hush-hush-hush-hush-hush']));
  expect(validateManifests([{ name: 'm.yaml', text: written }], env).faults).toEqual([]);
});
