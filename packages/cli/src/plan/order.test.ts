import { describe, expect, test } from 'vitest';
import { createModelServer } from '../testing/model-server.ts';
import { apply, env, http, type Lists, planOf, team } from '../testing/plan-of.ts';
import { patchFrom } from './diff.ts';
import { inOrder, phases } from './order.ts';
import { counts } from './render-text.ts';

const steps = (changes: ReturnType<typeof inOrder>) => changes.map(({ action, kind }) => `${action} ${kind.name}`);

describe('the order of an apply', () => {
  test('an apply creates the targets of references before the objects that refer to them', () => {
    const { changes } = planOf(team, createModelServer(), { env });
    const order = [...new Set(steps(inOrder(changes)))];
    expect(order.indexOf('create monitor')).toBeLessThan(order.indexOf('create alertRule'));
    expect(order.indexOf('create channel')).toBeLessThan(order.indexOf('create alertRule'));
    expect(order.indexOf('create monitor')).toBeLessThan(order.indexOf('create statusPage'));
    expect(order.indexOf('create monitor')).toBeLessThan(order.indexOf('create maintenanceWindow'));
  });

  test('an apply deletes last, and deletes objects before the targets that they refer to', async () => {
    const server = createModelServer();
    await apply(team, server, { env });
    const next: Lists = {
      monitors: [{ ...http, name: 'New' }],
      channels: [],
      alertRules: [],
      statusPages: [],
      maintenance: [],
    };
    const order = [...new Set(steps(inOrder(planOf(next, server, { prune: true }).changes)))];
    expect(order[0]).toBe('create monitor');
    expect(order.indexOf('delete alertRule')).toBeLessThan(order.indexOf('delete channel'));
    expect(order.indexOf('delete alertRule')).toBeLessThan(order.indexOf('delete monitor'));
    expect(order.indexOf('delete statusPage')).toBeLessThan(order.indexOf('delete monitor'));
  });

  test("an apply replaces one monitor at a time, because the account's plan may have room for only one more", () => {
    for (const { actions, maxConcurrent } of phases)
      expect(maxConcurrent).toBe(actions.includes('replace') ? 1 : undefined);
  });

  test('an apply has a phase for each action of each kind', () => {
    const all = phases.flatMap(({ kind, actions }) => actions.map((action) => `${action} ${kind.name}`));
    expect(new Set(all).size).toBe(all.length);
    expect(all).toHaveLength(5 * 4);
  });
});

describe('the patch for some changes', () => {
  const change = (at: [string, ...string[]], to: unknown) => ({ at, from: 'x', to, secret: false });
  test.each([
    ['nothing', [], {}],
    ['a field', [change(['interval'], 30)], { interval: 30 }],
    ['a field that is removed', [change(['description'], undefined)], { description: null }],
    ['false and zero', [change(['paused'], false), change(['retries'], 0)], { paused: false, retries: 0 }],
    [
      'entries of a map',
      [change(['labels', 'a'], '1'), change(['labels', 'b'], undefined)],
      { labels: { a: '1', b: null } },
    ],
    ['an entry whose name has dots', [change(['labels', 'a.b'], '1')], { labels: { 'a.b': '1' } }],
    [
      'a map within a map',
      [change(['config', 'headers', 'A'], 'x'), change(['config', 'url'], 'u')],
      { config: { headers: { A: 'x' }, url: 'u' } },
    ],
  ])('patchFrom returns a patch with %s', (_, changes, patch) => expect(patchFrom(changes)).toEqual(patch));
});

describe('the totals of a plan', () => {
  test('the totals of a plan name each action that occurs, and the number of unchanged items', async () => {
    const server = createModelServer();
    const one = { ...http, name: 'One' };
    await apply({ monitors: [one, { ...http, name: 'Two' }, { ...http, name: 'Gone' }] }, server);
    const next = [one, { ...http, name: 'Two', interval: 5 }, { ...http, name: 'New' }];
    expect(counts(planOf({ monitors: next }, server, { prune: true }))).toBe(
      'Plan: 1 to create, 1 to update, 1 to delete, 1 unchanged.',
    );
    expect(counts(planOf({ monitors: [{ ...one, type: 'ping', url: undefined, host: 'a.example' }] }, server))).toBe(
      'Plan: 1 to replace, 0 unchanged.',
    );
    expect(counts(planOf({ monitors: [one] }, server))).toBe('Nothing to do: 1 unchanged.');
  });
});
