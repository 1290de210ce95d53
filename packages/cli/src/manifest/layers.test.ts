import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatDiagnostic } from './diagnostic.ts';
import { validateManifests } from './validate.ts';

function read(manifest: object | string, environment: string | null = null) {
  const text = typeof manifest === 'string' ? manifest : JSON.stringify(manifest);
  const { items, faults } = validateManifests([{ name: 'm.yaml', text }], {}, 0, { environment });
  return { values: items.map(({ value }) => value), faults: faults.map(formatDiagnostic), items };
}

const job = { name: 'Job', type: 'heartbeat' };
const web = { name: 'Web', type: 'http', url: 'https://a.example/' };

test('an item with overrides keeps its own place, and each field has the place at which its value is written', () => {
  const text = `overrides:
  production: { monitors: { Job: { interval: 90 } } }
monitors:
  - { name: Job, type: heartbeat, overrides: { production: { gracePeriod: 5 } } }
`;
  const [item] = read(text, 'production').items;
  expect(item?.value).toMatchObject({ interval: 90, gracePeriod: 5 });
  expect([item?.place(''), item?.place('interval')]).toMatchObject([{ line: 4 }, { line: 2 }]);
});

describe('defaults', () => {
  test.each<[string, object, object]>([
    ['of the list apply to every type', { monitors: { interval: 45 } }, { interval: 45 }],
    [
      'of the type replace defaults of the list',
      { monitors: { interval: 45 }, http: { interval: 50 } },
      { interval: 50 },
    ],
    ['of another type do not apply', { heartbeat: { interval: 45 } }, { interval: 60 }],
    [
      'of the list are ignored for fields that the type does not have',
      { monitors: { gracePeriod: 5, timeout: 9 } },
      { timeout: 9 },
    ],
    [
      'of maps are merged entry by entry',
      { monitors: { labels: { a: '1' } }, http: { labels: { b: '2' } } },
      { labels: { a: '1', b: '2' } },
    ],
    [
      'that are null restore the default of the contract',
      { monitors: { interval: 45 }, http: { interval: null } },
      { interval: 60 },
    ],
    ['that are empty change nothing', { monitors: {}, http: {} }, { interval: 60 }],
  ])('defaults %s', (_, defaults, expected) => {
    const { values, faults } = read({ defaults, monitors: [web] });
    expect(faults).toEqual([]);
    expect(values).toMatchObject([expected]);
  });

  test('defaults of channels are merged into the configs of channels, entry by entry', () => {
    const defaults = { channels: { config: { headers: { 'X-Team': 'ops' } } } };
    const config = { url: 'https://a.example/', headers: { 'X-Own': '1' } };
    const { values } = read({ defaults, channels: [{ name: 'C', type: 'webhook', config }] });
    expect(values).toMatchObject([{ config: { headers: { 'X-Team': 'ops', 'X-Own': '1' } } }]);
  });

  test.each<[string, string, string[]]>([
    ['a list', 'defaults: []', ['m.yaml:1:11: `defaults` must be a map from lists or types to fields']],
    ['empty', 'defaults:', ['m.yaml:1:10: `defaults` must be a map from lists or types to fields']],
    [
      'text for a list',
      'defaults: { monitors: x }',
      ['m.yaml:1:23: the defaults of `monitors` must be a map of fields'],
    ],
    [
      'for a list that does not exist',
      'defaults: { monitor: {} }',
      ['m.yaml:1:22: `monitor` is neither a list nor a type; did you mean `monitors`?'],
    ],
  ])('defaults that are %s are a fault at their place', (_, text, faults) => {
    expect(read(`${text}\nmonitors: []\n`).faults).toEqual(faults);
  });
});

describe('overrides', () => {
  const production = (lists: object, monitors: object[] = [{ ...job, key: 'job', interval: 10 }]) =>
    read({ overrides: { production: lists }, monitors }, 'production');

  test.each<[string, object, object]>([
    ['by key', { monitors: { job: { interval: 20 } } }, { interval: 20 }],
    ['by name', { monitors: { Job: { interval: 20 } } }, { interval: 20 }],
    ['that are null', { monitors: { job: { interval: null } } }, { interval: 60 }],
    ['that change the name', { monitors: { job: { name: 'New' } } }, { name: 'New', interval: 10 }],
    [
      'of defaults, for fields that the item does not set,',
      { defaults: { monitors: { interval: 30, retries: 2 } } },
      { interval: 10, retries: 2 },
    ],
  ])('overrides %s are applied', (_, lists, expected) => {
    expect(production(lists)).toMatchObject({ faults: [], values: [expected] });
  });

  test('overrides by key are used rather than overrides by name', () => {
    const lists = { monitors: { job: { interval: 20 }, Job: { interval: 30 } } };
    const { values, faults } = production(lists);
    expect(values).toMatchObject([{ interval: 20 }]);
    expect(faults.join()).toContain('no item of `monitors` has the key or name "Job"');
  });

  test('the overrides of a file replace overrides in the item itself, because several files may include the item', () => {
    const item = { ...job, interval: 10, overrides: { production: { interval: 20, retries: 1 } } };
    const { values, faults } = production({ monitors: { Job: { interval: 30 } } }, [item]);
    expect(faults).toEqual([]);
    expect(values).toMatchObject([{ interval: 30, retries: 1 }]);
  });

  test.each<[string, string, string]>([
    ['a list', 'overrides: []', 'm.yaml:1:12: `overrides` must be a map from environments to changes'],
    [
      'text for the environment',
      'overrides: { production: x }',
      'm.yaml:1:26: `overrides.production` must be a map of lists',
    ],
    [
      'a list of items',
      'overrides: { production: { monitors: [] } }',
      'm.yaml:1:38: the overrides of `monitors` must be a map from keys or names to fields',
    ],
    [
      'text for an item',
      'overrides: { production: { monitors: { a: x } } }',
      'm.yaml:1:43: an override must be a map of fields',
    ],
    [
      'for a list that does not exist',
      'overrides: { production: { monitor: {} } }',
      'm.yaml:1:37: `monitor` is not a list of a manifest; expected defaults, monitors, channels, alertRules, statusPages, maintenance',
    ],
  ])('overrides that are %s are a fault at their place', (_, text, fault) => {
    expect(read(`${text}\nmonitors: []\n`, 'production').faults).toContain(fault);
  });

  test('overrides of an unknown environment lead to an error that names the known environments', () => {
    expect(read({ monitors: [job] }, 'production').faults).toEqual([
      'm.yaml:1:1: the manifest has no overrides for the environment "production"; it has no `overrides`',
    ]);
    const own = { ...job, overrides: { stage: {}, test: {} } };
    expect(read({ monitors: [own] }, 'live').faults).toEqual([
      'm.yaml:1:1: the manifest has no overrides for the environment "live"; it has overrides for stage, test',
    ]);
  });

  test('overrides with a faulty value get the fault at their own place, not at the place of the item', () => {
    const text = `overrides:\n  production:\n    monitors: { job: { interval: often } }\nmonitors:\n  - { key: job, name: Job, type: heartbeat }\n`;
    expect(read(text, 'production').faults).toEqual([
      'm.yaml:3:34: `interval` must be a whole number from 1 to 2592000; found "often"',
    ]);
    expect(read(text).faults).toEqual([]);
  });
});

describe('with several layers', () => {
  const layer = fc.option(fc.oneof(fc.integer({ min: 10, max: 90 }), fc.constant(null)), { nil: undefined });
  const has = (interval: number | null | undefined) => (interval === undefined ? {} : { interval });

  test('with several layers, the highest layer that sets a field gives its value, and null restores the default of the contract', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 10, max: 90 }),
        layer,
        layer,
        layer,
        layer,
        layer,
        (list, type, more, own, inner, outer) => {
          const manifest = {
            defaults: { monitors: has(list), heartbeat: has(type) },
            overrides: { live: { defaults: { heartbeat: has(more) }, monitors: { Job: has(outer) } } },
            monitors: [{ ...job, ...has(own), overrides: { live: has(inner) } }],
          };
          const { values, faults } = read(manifest, 'live');
          expect(faults).toEqual([]);
          const nearest = [outer, inner, own, more, type, list].find((one) => one !== undefined);
          expect(values[0]!['interval']).toBe(nearest ?? 60);
        },
      ),
      { numRuns: 150 },
    );
  });

  test('with several layers, the highest layer that sets an entry of a map gives the value of the entry', () => {
    fc.assert(
      fc.property(layer, layer, layer, (type, own, inner) => {
        const labels = (tier: number | null | undefined) =>
          tier === undefined ? {} : { labels: { tier: tier && String(tier) } };
        const manifest = {
          defaults: { monitors: { labels: { team: 'a', tier: '1' } }, heartbeat: labels(type) },
          monitors: [{ ...job, ...labels(own), overrides: { live: labels(inner) } }],
          overrides: { live: {} },
        };
        const { values, faults } = read(manifest, 'live');
        expect(faults).toEqual([]);
        const nearest = [inner, own, type, 1].find((one) => one !== undefined);
        expect(values[0]!['labels']).toEqual({ team: 'a', ...(nearest !== null && { tier: String(nearest) }) });
      }),
      { numRuns: 80 },
    );
  });

  test('null in an item is a fault at its place if no default of the manifest sets the field', () => {
    expect(read(`monitors:\n  - { name: Job, type: heartbeat, interval: null }\n`).faults).toEqual([
      'm.yaml:2:45: `interval` must be a whole number from 1 to 2592000; found nothing',
    ]);
  });
});
