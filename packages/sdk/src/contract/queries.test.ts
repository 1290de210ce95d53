import { describe, expect, test } from 'vitest';
import { allEndpoints, type Endpoint, validate } from './index.ts';

const endpoints = Object.entries<Endpoint>(allEndpoints);
const faultsOf = (name: keyof typeof allEndpoints, query: object) => {
  const parsed = validate((allEndpoints[name] as Endpoint).query!, query);
  return parsed.ok ? [] : parsed.faults.map(({ path, code }) => `${path} ${code}`);
};

describe('every list with pages', () => {
  const paged = endpoints.filter(([, { query }]) => query && 'limit' in query.shape).map(([name]) => name);

  test.each(paged as (keyof typeof allEndpoints)[])('the list %s accepts a page size and a cursor', (name) => {
    for (const limit of ['1', '9', '10', '999', '1000']) expect(faultsOf(name, { limit }), limit).toEqual([]);
    for (const limit of ['0', '01', '1001', '10000', '-1', '1.5', '1e2', ' 1', '', 'all'])
      expect(faultsOf(name, { limit }), limit).toEqual(['limit bad_format']);
    expect(faultsOf(name, { cursor: 'x'.repeat(200) })).toEqual([]);
    expect(faultsOf(name, { cursor: 'x'.repeat(201) })).toEqual(['cursor too_big']);
    expect(faultsOf(name, { offset: '5' })).toEqual(['offset unknown_field']);
  });
});

test.each(['listMonitors', 'listStatusPages', 'listChannels', 'listAlertRules'] as const)(
  'the query of the endpoint %s accepts a key and a name',
  (name) => {
    expect(faultsOf(name, { key: 'shop', name: 'Shop' })).toEqual([]);
    expect(faultsOf(name, { key: 'x'.repeat(64) })).toEqual(['key too_big']);
    expect(faultsOf(name, { name: 'x'.repeat(401) })).toEqual(['name too_big']);
  },
);

test.each(['listIncidents', 'listProjects', 'listProjectKeys'] as const)(
  'the query of the endpoint %s refuses a name',
  (name) => {
    expect(faultsOf(name, { name: 'Shop' })).toEqual(['name unknown_field']);
  },
);

test.each([
  'getDailyUptime',
  'getResponseTimes',
  'getHeartbeatMetrics',
  'getMonitorEvents',
  'listAlertHistory',
] as const)('the endpoint %s accepts a first and a last day', (name) => {
  expect(faultsOf(name, { from: '2026-01-01', to: '2026-01-31' })).toEqual([]);
  expect(faultsOf(name, { from: '2028-02-29' })).toEqual([]);
  for (const from of ['2026-1-1', '2026-02-29', '2026-13-01', '01.01.2026', 'yesterday', '2026-01-01T00:00:00Z', ''])
    expect(faultsOf(name, { from }), from).toEqual(['from bad_format']);
  expect(faultsOf(name, { to: '2026-00-01' })).toEqual(['to bad_format']);
});

test('only response times can be limited to one region', () => {
  expect(faultsOf('getResponseTimes', { region: 'eu-west' })).toEqual([]);
  expect(faultsOf('getResponseTimes', { region: 'EU' })).toEqual(['region bad_format']);
  expect(faultsOf('getMonitorEvents', { region: 'eu-west' })).toEqual(['region unknown_field']);
});
