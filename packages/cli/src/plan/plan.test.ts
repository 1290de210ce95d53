import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { kinds } from '../kinds/index.ts';
import type { Fields, Kind } from '../kinds/kind.ts';
import { type Wanted, wantedFrom } from '../manifest/item.ts';
import { createModelServer, type ModelServer } from '../testing/model-server.ts';
import { applyPlan } from './apply.ts';
import type { Plan } from './change.ts';
import { patchFrom } from './diff.ts';
import { planChanges, type Remotes } from './plan.ts';

const text = fc.constantFrom('a', 'b', 'c', 'd');
const headers = fc.dictionary(fc.constantFrom('Accept', 'X-A', '__proto__x', 'constructor'), text);
const common = {
  name: text,
  key: fc.option(text, { nil: null }),
  interval: fc.integer({ min: 1, max: 60 }),
  description: fc.option(text, { nil: null }),
  labels: fc.dictionary(text, text),
  regions: fc.subarray(['a', 'b', 'c']),
  paused: fc.boolean(),
};
const any = fc.oneof(
  fc.record(
    {
      ...common,
      type: fc.constant('http'),
      url: fc.constant('http://a.example'),
      headers,
      expectedStatus: fc.oneof(fc.constant(200), fc.constant([200, '3xx'])),
    },
    { requiredKeys: ['name', 'type', 'url'] },
  ),
  fc.record(
    { ...common, type: fc.constant('tcp'), host: text, port: fc.integer({ min: 1, max: 3 }) },
    { requiredKeys: ['name', 'type', 'host', 'port'] },
  ),
  fc.record({ ...common, type: fc.constant('heartbeat') }, { requiredKeys: ['name', 'type'] }),
);
type Given = Record<string, unknown>;
const identity = ({ key, name }: Given) => JSON.stringify(key == null ? { name } : { key });
const manifests = fc.uniqueArray(any, { selector: (given) => identity(given), maxLength: 8 });
const servers = fc.uniqueArray(any, {
  selector: (given: Given) => (given['key'] == null ? Symbol('no key') : given['key']),
  maxLength: 8,
});

const { monitor } = kinds;

function wanted(given: Given, kind: Kind = monitor): Wanted {
  const checked = kind.validate(given);
  if (!checked.ok) throw new Error(JSON.stringify(checked.faults));
  return wantedFrom(kind, checked.value, given);
}

async function serverWith(monitors: readonly Given[]): Promise<ModelServer> {
  const server = createModelServer();
  for (const one of monitors) await server.writerOf(monitor).create(one);
  return server;
}

function planOf(items: readonly Wanted[], remotes: Remotes, prune: readonly Kind[] = []): Plan {
  const planned = planChanges(items, remotes, { prune });
  if (!planned.ok) throw new Error(JSON.stringify(planned.faults));
  return planned.plan;
}

describe('an apply of any plan', () => {
  test('an apply of any plan brings the server to the wanted state, so that the next plan is empty', async () => {
    await fc.assert(
      fc.asyncProperty(
        manifests,
        servers,
        fc.boolean(),
        fc.integer({ min: 1, max: 8 }),
        async (given, there, prune, concurrency) => {
          const server = await serverWith(there);
          const items = given.map((one) => wanted(one));
          const options = { prune: prune ? [monitor] : [] };
          const planned = planChanges(items, server.remotes(monitor), options);
          if (!planned.ok) {
            // Planning fails only if several resources on the server have the same name.
            const names = there.map(({ name }) => name);
            expect(new Set(names).size).toBeLessThan(names.length);
            return;
          }
          const applied = await applyPlan(planned.plan, server.writerOf, { concurrency });
          expect(applied.failed).toEqual([]);
          for (const { value } of items) {
            expect(server.list(monitor)).toContainEqual(expect.objectContaining(value));
          }
          if (prune) expect(server.list(monitor)).toHaveLength(items.length);
          const again = planChanges(items, server.remotes(monitor), options);
          if (again.ok) expect(again.plan.changes).toEqual([]);
          // After a rename, two monitors may have the same name. The next plan then reports that as a fault, and
          // changes nothing.
          else expect(again.faults.every(({ message }) => message.includes('monitors named'))).toBe(true);
        },
      ),
      { numRuns: 500 },
    );
  });

  test('an apply stops at a failure, and an apply of the next plan reaches the wanted state', async () => {
    await fc.assert(
      fc.asyncProperty(manifests, fc.nat(10), async (given, failing) => {
        const server = await serverWith([]);
        const items = given.map((one) => wanted(one));
        let calls = 0;
        const sound = server.writerOf(monitor);
        const flaky = {
          ...sound,
          create: (input: Fields) => (calls++ === failing ? Promise.reject(new Error('cut')) : sound.create(input)),
        };
        const plan = planOf(items, server.remotes(monitor));
        const applied = await applyPlan(plan, () => flaky, { concurrency: 2 });
        expect(applied.done.length + applied.failed.length + applied.skipped.length).toBe(plan.changes.length);
        expect(applied.done).toHaveLength(server.list(monitor).length);
        await applyPlan(planOf(items, server.remotes(monitor)), server.writerOf);
        expect(server.list(monitor)).toHaveLength(items.length);
        expect(planOf(items, server.remotes(monitor)).changes).toEqual([]);
      }),
    );
  });
});

describe('an item of a manifest', () => {
  const tcp = { type: 'tcp', name: 'db', host: 'db', port: 1 };

  test('an item matches a monitor by its key if the name changes', async () => {
    const server = await serverWith([{ ...tcp, key: 'k', name: 'old' }]);
    const [change] = planOf([wanted({ ...tcp, key: 'k', name: 'new' })], server.remotes(monitor)).changes;
    expect(change).toMatchObject({ action: 'update', fields: [{ at: ['name'], from: 'old', to: 'new' }] });
  });

  test('an item matches a monitor by its name if the item gets a key', async () => {
    const server = await serverWith([tcp]);
    const [change] = planOf([wanted({ ...tcp, key: 'k' })], server.remotes(monitor)).changes;
    expect(change).toMatchObject({ action: 'update', fields: [{ at: ['key'], from: null, to: 'k' }] });
  });

  test('an item matches the monitor of its type if an interrupted replacement left two monitors with its name', async () => {
    const server = await serverWith([{ type: 'ping', name: 'db', host: 'db' }, tcp]);
    expect(planOf([wanted(tcp)], server.remotes(monitor))).toMatchObject({
      changes: [],
      unchanged: [{ current: { type: 'tcp' } }],
    });
    const other = planChanges([wanted({ type: 'heartbeat', name: 'db' })], server.remotes(monitor));
    expect(other).toMatchObject({
      ok: false,
      faults: [{ message: expect.stringContaining('mon_1, mon_2') as string }],
    });
  });

  test('an item matches a monitor by its name only if no other monitor has that name', async () => {
    const server = await serverWith([tcp, tcp]);
    expect(planChanges([wanted(tcp)], server.remotes(monitor))).toMatchObject({
      ok: false,
      faults: [{ message: expect.stringContaining('mon_1, mon_2') as string }],
    });
  });
});

test('a plan replaces a monitor if the type of the monitor changes', async () => {
  const server = await serverWith([{ type: 'ping', name: 'db', host: 'db' }]);
  const items = [wanted({ type: 'tcp', name: 'db', host: 'db', port: 1 })];
  expect(planOf(items, server.remotes(monitor)).changes).toMatchObject([{ action: 'replace' }]);
});

test('a patch contains only changed fields, and null for a removed entry', async () => {
  const http = { type: 'http', name: 'a', url: 'http://a.example' };
  const server = await serverWith([{ ...http, headers: { Accept: 'a', Gone: 'b', 'X.Y': 'c' } }]);
  const [change] = planOf(
    [wanted({ ...http, interval: 30, headers: { Accept: 'a', 'X.Y': 'd' } })],
    server.remotes(monitor),
  ).changes;
  if (change?.action !== 'update') throw new Error('expected an update');
  expect(patchFrom(change.fields)).toEqual({ interval: 30, headers: { Gone: null, 'X.Y': 'd' } });
});

test('monitors of a server without keys and labels match by name, and are not changed', () => {
  const { key: _key, labels: _labels, ...rest } = wanted({ type: 'ping', name: 'a', host: 'a' }).value;
  const old = { ...rest, id: 'mon_1' } as never;
  expect(
    planOf([wanted({ type: 'ping', name: 'a', host: 'a', key: 'k' })], new Map([[monitor, [old]]])).changes,
  ).toEqual([]);
});
