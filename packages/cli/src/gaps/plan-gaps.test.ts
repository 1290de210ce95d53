import type { Region } from '@uptime/sdk';
import { describe, expect, test } from 'vitest';
import { kinds } from '../kinds/index.ts';
import type { Fields, Remote } from '../kinds/kind.ts';
import { validateManifests } from '../manifest/validate.ts';
import { planChanges } from '../plan/plan.ts';
import { unservedRegions, unwatchedMonitors } from './plan-gaps.ts';
import { ruleOf, watchesForDown } from './watches.ts';

const { monitor, channel, alertRule } = kinds;
const remote = (id: string, fields: Fields): Remote => ({ id, key: null, name: id, managedBy: null, ...fields });
const onServer = {
  shop: remote('mon_1', { name: 'Shop', type: 'http', url: 'https://a.example/' }),
  ops: remote('chn_1', { name: 'Ops', type: 'email', config: { address: 'a@example.com' } }),
  rule: remote('rul_1', {
    name: 'Down',
    enabled: true,
    trigger: 'monitor_down',
    monitorIds: ['mon_1'],
    channelIds: ['chn_1'],
  }),
};
const shop = { name: 'Shop', type: 'http', url: 'https://a.example/' };
const ops = { name: 'Ops', type: 'email', config: { address: 'a@example.com' } };

/** Returns the monitors that no rule watches after a manifest is applied, each with its line. */
function unwatched(lists: object, { rules = [] as Remote[], prune = false } = {}) {
  const {
    items,
    faults,
    dangling,
    lists: listed,
  } = validateManifests([{ name: 'm.yaml', text: JSON.stringify(lists) }], {});
  expect([...faults, ...dangling]).toEqual([]);
  const remotes = new Map([
    [monitor, [onServer.shop]],
    [channel, [onServer.ops]],
    [alertRule, rules],
  ]);
  const planned = planChanges(items, remotes, { prune: prune && listed.has('alertRules') ? [alertRule] : [] });
  if (!planned.ok) throw new Error(planned.faults.map(({ message }) => message).join('\n'));
  return unwatchedMonitors(items, planned.plan, rules).map(({ message }) => /"(.*)"/.exec(message)?.[1]);
}
const rule = (fields: object = {}) => ({ name: 'New', monitors: ['Shop'], channels: ['Ops'], ...fields });

describe('a monitor', () => {
  test.each<[string, object, Parameters<typeof unwatched>[1], string[]]>([
    ['is watched by a rule of the manifest', { monitors: [shop], channels: [ops], alertRules: [rule()] }, {}, []],
    ['is watched by a rule of the server', { monitors: [shop] }, { rules: [onServer.rule] }, []],
    ['is not watched if there is no rule', { monitors: [shop] }, {}, ['Shop']],
    [
      'is not watched by a disabled rule',
      { monitors: [shop], channels: [ops], alertRules: [rule({ enabled: false })] },
      {},
      ['Shop'],
    ],
    [
      'is not watched by a rule about certificates',
      { monitors: [shop], channels: [ops], alertRules: [rule({ trigger: 'ssl_expiring' })] },
      {},
      ['Shop'],
    ],
    [
      'is not watched by a rule that the plan deletes',
      { monitors: [shop], alertRules: [] },
      { rules: [onServer.rule], prune: true },
      ['Shop'],
    ],
    [
      'is watched by a rule of the server that the plan keeps',
      { monitors: [shop], alertRules: [] },
      { rules: [onServer.rule] },
      [],
    ],
    [
      'is not watched by a rule from which the plan removes the monitor',
      {
        monitors: [shop, { name: 'Other', type: 'heartbeat' }],
        channels: [ops],
        alertRules: [rule({ name: 'Down', monitors: ['Other'] })],
      },
      { rules: [onServer.rule] },
      ['Shop'],
    ],
    ['needs no rule while it is paused', { monitors: [{ ...shop, paused: true }] }, {}, []],
    [
      'that replaces another monitor is watched by the rule of that other monitor',
      { monitors: [{ name: 'Shop', type: 'ping', host: 'a.example' }] },
      { rules: [onServer.rule] },
      [],
    ],
  ])('a monitor %s', (_, lists, options, expected) => {
    expect(unwatched(lists, options)).toEqual(expected);
  });
});

describe('the warnings about regions', () => {
  const lastSeenAt = '2030-01-01T00:00:00.000Z';
  const regions: Region[] = [
    { name: 'eu', served: true, status: 'reporting', lastSeenAt, probes: [] },
    { name: 'us', served: false, status: 'unknown', lastSeenAt, probes: [] },
  ];
  const gaps = (text: string, known = regions) => {
    const { items } = validateManifests([{ name: 'm.yaml', text }], {});
    return unservedRegions(items, known, Date.parse('2030-01-01T01:00:00Z')).map(
      ({ line, column, message }) => `${line}:${column}: ${message}`,
    );
  };
  const item = (regionsOf: string, more = '') =>
    `monitors:\n  - { ${more}name: A, type: ping, host: a.example, regions: ${regionsOf} }\n`;
  test.each<[string, string, string[]]>([
    ['a served region, there is no warning', item('[eu]'), []],
    [
      'a region that is no longer served, the warning says when it was last served',
      item('[eu, us]'),
      ['2:59: no daemon or probe serves the region "us" now; it was last served 1 h ago'],
    ],
    [
      'a mistyped region, the warning suggests a served region',
      item('[eux]'),
      ['2:55: no daemon or probe serves the region "eux", so no check runs from there; did you mean "eu"?'],
    ],
    [
      'an unknown region, the warning lists the served regions',
      item('[mars]'),
      ['2:55: no daemon or probe serves the region "mars", so no check runs from there; the served regions are: eu'],
    ],
    [
      'an unknown region after a repeated region, the warning has the place of the unknown region',
      item('[eu, eu, mars]'),
      ['2:63: no daemon or probe serves the region "mars", so no check runs from there; the served regions are: eu'],
    ],
    ['an unknown region only for a paused monitor, there is no warning', item('[mars]', 'paused: true, '), []],
    ['no region, and a region is served, there is no warning', item('[]'), []],
  ])('if a manifest names %s', (_, text, expected) => {
    expect(gaps(text)).toEqual(expected);
  });

  test('for several monitors that name no region, one warning says that no region is served', () => {
    const unserved = regions.map((one) => ({ ...one, served: false }));
    const another = '  - { name: B, type: ping, host: a.example }\n';
    expect(gaps(item('[]') + another, unserved)).toEqual([
      '2:5: no daemon or probe serves any region now, so no check runs for monitors that name no region',
    ]);
    expect(gaps('monitors:\n  - { name: A, type: heartbeat }\n', unserved)).toEqual([]);
  });
});

test.each<[string, Fields, boolean]>([
  ['a complete rule', {}, true],
  ['a disabled rule', { enabled: false }, false],
  ['a rule with another trigger', { trigger: 'ssl_expiring' }, false],
  ['a rule without channels', { channelIds: [] }, false],
  [
    'a rule of a server that does not return these fields',
    { enabled: undefined, trigger: undefined, channelIds: undefined },
    false,
  ],
])('watchesForDown says whether %s notifies a channel when a monitor goes down', (_, fields, watches) => {
  expect(watchesForDown(ruleOf(onServer.rule, fields))).toBe(watches);
});
