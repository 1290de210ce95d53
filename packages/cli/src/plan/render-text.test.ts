import { Chalk } from 'chalk';
import { describe, expect, test } from 'vitest';
import { kinds } from '../kinds/index.ts';
import type { Fields, Remote } from '../kinds/kind.ts';
import { monitorsOf, wantedFrom } from '../manifest/item.ts';
import { apply, env, http, type Lists, mail, planOf, read, team } from '../testing/plan-of.ts';
import { createModelServer } from '../testing/model-server.ts';
import { counts, describe as named, renderChange, renderText } from './render-text.ts';
import { renderJson } from './render-json.ts';

const paint = new Chalk({ level: 0 });
const { monitor, channel, statusPage } = kinds;
const remote = (fields: Fields): Remote => ({ id: 'mon_1', name: 'Shop', ...fields });

/** Returns the line that describes the change of one field. */
const line = (at: [string, ...string[]], from: unknown, to: unknown, secret = false) => {
  const wanted = wantedFrom(monitor, { key: null, name: 'Shop', type: 'http' });
  const fields = [{ at, from, to, secret }];
  const text = renderChange(
    { action: 'update', kind: monitor, wanted, current: remote({}), fields, targets: {} },
    paint,
  );
  return text.split('\n').slice(1).join('\n').trim();
};

test('for a new rule, a plan shows the monitors that the labels in the rule select', () => {
  const monitors = [
    { ...http, name: 'Shop', labels: { team: 'a' } },
    { ...http, key: 'bank', name: 'Bank', labels: { team: 'a' } },
    { ...http, name: 'Host', labels: { team: 'b' } },
  ];
  const rule = { name: 'Down', monitorsWith: { team: 'a' }, channels: ['Ops'] };
  const plan = planOf({ monitors, channels: [{ ...mail, name: 'Ops' }], alertRules: [rule] }, createModelServer());
  expect(renderText(plan, paint)).toContain('monitors: ["Shop","bank"]');
  const fields = renderJson(plan).changes.find(({ kind }) => kind === 'alertRule')?.fields;
  expect(fields).toContainEqual({ path: 'monitors', from: null, to: ['Shop', 'bank'], secret: false });
});

describe('a changed field', () => {
  test.each<[string, [string, ...string[]], unknown, unknown, string]>([
    ['is shown with its old and its new value', ['interval'], 60, 30, 'interval: 60 → 30'],
    ['with text values is shown in quotes', ['name'], 'a', 'b "c"', 'name: "a" → "b \\"c\\""'],
    ['without an old value is shown with `none` in its place', ['description'], null, 'x', 'description: none → "x"'],
    [
      'that is removed is shown with `none` as the new value',
      ['labels', 'team'],
      'x',
      undefined,
      'labels.team: "x" → none',
    ],
    ['that is a list is shown as JSON', ['regions'], ['eu'], [], 'regions: ["eu"] → []'],
    [
      'is shown without the password of an address',
      ['url'],
      'https://a:secret@b.example/',
      'https://c.example/',
      'url: "https://a:…@b.example/" → "https://c.example/"',
    ],
    [
      'is shown without a token in a query',
      ['url'],
      'https://b.example/?token=secret',
      null,
      'url: "https://b.example/?token=…" → none',
    ],
    ['is shortened to 120 characters', ['body'], 'x'.repeat(500), null, `body: "${'x'.repeat(118)}… → none`],
    ['is shown without control characters', ['labels', 'a\u001b[2Jb'], 'x', 'y\u009b', 'labels.ab: "x" → "y\uFFFD"'],
  ])('a changed field %s', (_, at, from, to, expected) => {
    expect(line(at, from, to)).toBe(expected);
  });

  test.each<[unknown, unknown, string]>([
    [null, 'hush', 'headers.X: (set, not shown)'],
    ['hush', undefined, 'headers.X: (removed)'],
    ['hush', 'other', 'headers.X: (changed, not shown)'],
  ])('a changed field that is secret is shown without the old value %j and the new value %j', (from, to, expected) => {
    expect(line(['headers', 'X'], from, to, true)).toBe(expected);
  });
});

describe('changed references', () => {
  const lines = (from: string[], to: string[]) => {
    const wanted = wantedFrom(statusPage, { key: null, name: 'P' });
    const fields = [{ at: ['monitors'] as const, from, to, secret: false }];
    const current: Remote = { id: 'pag_1', name: 'P' };
    return renderChange({ action: 'update', kind: statusPage, wanted, current, fields, targets: {} }, paint).split(
      '\n',
    )[1];
  };
  test.each<[string, string[], string[], string]>([
    ['are shown as the added and removed names', ['a', 'b'], ['b', 'c'], '    monitors: + "c", - "a"'],
    ['in another order are shown in the new order', ['a', 'b'], ['b', 'a'], '    monitors: in the order ["b","a"]'],
    [
      'to new resources with the same names are shown as newly created',
      ['a'],
      ['a'],
      '    monitors: ["a"], newly created',
    ],
    ['that are all removed are shown as removed names', ['a', 'b'], [], '    monitors: - "a", - "b"'],
  ])('changed references %s', (_, from, to, expected) => {
    expect(lines(from, to)).toBe(expected);
  });
});

describe('a created resource', () => {
  test('a created resource is shown with its fields, without secrets from the environment or of a channel', () => {
    const text = renderText(planOf(team, createModelServer(), { env }), paint);
    expect(text).toContain('+ create http "Shop" (shop)\n    url: "https://a.example/"');
    expect(text).toContain('+ create slack channel "Room"\n    config: { webhookUrl: (not shown) }');
    expect(text).toContain(
      '+ create alert rule "Down" (down)\n    monitors: ["Host","shop"]\n    channels: ["Room","ops"]',
    );
    expect(text).not.toContain('hush');
    expect(text).toMatch(/\nPlan: 7 to create, 0 unchanged\.$/);
  });

  test('a created resource is shown with notes in place of values from the environment', () => {
    const lists: Lists = {
      monitors: [{ ...http, name: 'Shop', description: '${TOKEN}', headers: { 'X-Token': '${TOKEN}' } }],
    };
    const text = renderText(planOf(lists, createModelServer(), { env }), paint);
    expect(text).toContain('    description: (from the environment)');
    expect(text).toContain('    headers: { X-Token: (not shown) }');
  });
});

test('the text of a replacement names the old type, and says that the history is lost', async () => {
  const server = createModelServer();
  await apply({ monitors: [{ ...http, key: 'shop', name: 'Shop' }] }, server);
  const plan = planOf({ monitors: [{ type: 'ping', host: 'a.example', key: 'shop', name: 'Shop' }] }, server);
  expect(renderText(plan, paint)).toBe(
    '± replace ping "Shop" (shop): was http; a new one is created, and the history is lost\n    host: "a.example"\nPlan: 1 to replace, 0 unchanged.',
  );
});

test('the text of a deletion is one line with the name of the resource on the server', () => {
  const current: Remote = { id: 'chn_1', name: 'Ops\n+ create', key: 'ops', type: 'slack' };
  expect(renderChange({ action: 'delete', kind: channel, current }, paint)).toBe(
    '- delete slack channel "Ops\uFFFD+ create" (ops)',
  );
});

test('the totals of a plan without changes say how many items are unchanged', () => {
  const [wanted] = monitorsOf(read({ monitors: [{ ...http, name: 'Shop' }] }).items);
  expect(counts({ changes: [], unchanged: [{ wanted: wanted!, current: remote({}) }] })).toBe(
    'Nothing to do: 1 unchanged.',
  );
});

test('quotes and control characters in a name are escaped, so the name cannot pretend to be other text', () => {
  const current: Remote = { id: 'mon_1', name: 'a"b\u0007', key: null, type: 'http' };
  expect(named({ action: 'delete', kind: monitor, current })).toBe('http "a\\"b\uFFFD"');
});

test('the JSON of a plan lists each entry of a map, and contains no secrets', () => {
  const lists: Lists = {
    monitors: [{ ...http, name: 'Shop', labels: { a: 'x' }, headers: { 'X-Token': 'hush', Accept: 'y' } }],
  };
  const { changes, unchanged } = renderJson(planOf(lists, createModelServer()));
  expect(unchanged).toBe(0);
  expect(changes[0]).toMatchObject({ action: 'create', kind: 'monitor', type: 'http', id: null, key: null });
  expect(changes[0]!.fields).toContainEqual({ path: 'labels.a', from: null, to: 'x', secret: false });
  expect(changes[0]!.fields).toContainEqual({ path: 'headers.X-Token', from: null, to: null, secret: true });
  expect(changes[0]!.fields).toContainEqual({ path: 'headers.Accept', from: null, to: 'y', secret: false });
});
