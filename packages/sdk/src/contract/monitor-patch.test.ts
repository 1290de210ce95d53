import { describe, expect, test } from 'vitest';
import { monitorMaps, monitorPatch, validate } from './index.ts';

const faultsOf = (patch: object) => {
  const parsed = validate(monitorPatch, patch);
  return parsed.ok ? [] : parsed.faults.map(({ path, code }) => `${path} ${code}`);
};

describe('a change of a monitor accepts', () => {
  test.each([
    ['an empty object', {}],
    ['one field', { paused: true }],
    ['null for a field with a default', { interval: null, timeout: null, retries: null, key: null, regions: null }],
    ['null for all labels', { labels: null }],
    ['null for one label', { labels: { team: null, tier: '1' } }],
    ['null for one header', { headers: { authorization: null } }],
    ['the longest interval of any type, because the patch does not name a type', { interval: 2_592_000 }],
    ['the current type of the monitor', { type: 'http' }],
    ['a field of each type', { url: 'https://h/', hostname: 'h', port: 1, gracePeriod: 0 }],
  ])('a change of a monitor accepts %s', (_, patch) => expect(faultsOf(patch)).toEqual([]));
});

describe('a change of a monitor refuses', () => {
  test.each([
    ['an unknown field', { pausd: true }, 'pausd unknown_field'],
    ['a read-only field', { status: 'up' }, 'status unknown_field'],
    ['an unknown type', { type: 'icmp' }, 'type not_a_choice'],
    ['an interval that is too long for every type', { interval: 2_592_001 }, 'interval too_big'],
    ['a label that is a number', { labels: { tier: 1 } }, 'labels.tier wrong_type'],
    ['a bad header name, even in a removal of the header', { headers: { 'a b': null } }, 'headers.a b bad_name'],
    ['a list of labels', { labels: ['team'] }, 'labels wrong_type'],
    ['a region in capitals', { regions: ['EU'] }, 'regions.0 bad_format'],
    ['a bad status code', { expectedStatus: 'ok' }, 'expectedStatus bad_format'],
  ])('a change of a monitor refuses %s', (_, patch, fault) => expect(faultsOf(patch)).toEqual([fault]));
});

test('a change of a monitor does not fill in defaults', () => {
  expect(validate(monitorPatch, { name: 'New' })).toEqual({ ok: true, value: { name: 'New' } });
});

test('labels and headers are merged entry by entry', () => {
  expect(monitorMaps.toSorted()).toEqual(['headers', 'labels']);
});
