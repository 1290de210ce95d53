import { validateMonitor } from '@uptime/sdk/contract';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Wanted, wantedFrom } from '../manifest/item.ts';
import { createModelServer } from '../testing/model-server.ts';
import { applyPlan } from './apply.ts';
import type { Plan } from './change.ts';
import { patchFrom } from './diff.ts';
import { planChanges } from './plan.ts';

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

function wanted(given: Given): Wanted {
  const checked = validateMonitor(given);
  if (!checked.ok) throw new Error(JSON.stringify(checked.faults));
  return wantedFrom(checked.value, given);
}

async function serverWith(monitors: readonly Given[]) {
  const server = createModelServer();
  for (const monitor of monitors) await server.create(monitor as never);
  return server;
}

function planOf(
  items: readonly Wanted[],
  server: { monitors: never[] | Parameters<typeof planChanges>[1] },
  prune = false,
): Plan {
  const planned = planChanges(items, server.monitors, { prune });
  if (!planned.ok) throw new Error(JSON.stringify(planned.faults));
  return planned.plan;
}

describe('any plan, carried out', () => {
  test('leaves the server as wanted, and nothing to plan', async () => {
    await fc.assert(
      fc.asyncProperty(
        manifests,
        servers,
        fc.boolean(),
        fc.integer({ min: 1, max: 8 }),
        async (given, there, prune, concurrency) => {
          const server = await serverWith(there);
          const items = given.map(wanted);
          const planned = planChanges(items, server.monitors, { prune });
          if (!planned.ok) {
            // Only a name that stands twice on the server is no plan.
            const names = there.map(({ name }) => name);
            expect(new Set(names).size).toBeLessThan(names.length);
            return;
          }
          const applied = await applyPlan(planned.plan, server, { concurrency });
          expect(applied.failed).toEqual([]);
          for (const { value } of items) {
            expect(server.monitors).toContainEqual(expect.objectContaining(value));
          }
          if (prune) expect(server.monitors).toHaveLength(items.length);
          const again = planChanges(items, server.monitors, { prune });
          if (again.ok) expect(again.plan.changes).toEqual([]);
          // A name that went to a second monitor by a rename is told as such; nothing is done twice.
          else expect(again.faults.every(({ message }) => message.includes('monitors named'))).toBe(true);
        },
      ),
      { numRuns: 500 },
    );
  });

  test('stops at a failure, and planned again from there ends the same', async () => {
    await fc.assert(
      fc.asyncProperty(manifests, fc.nat(10), async (given, failing) => {
        const server = await serverWith([]);
        const items = given.map(wanted);
        let calls = 0;
        const flaky = {
          ...server,
          create: (input: never) => (calls++ === failing ? Promise.reject(new Error('cut')) : server.create(input)),
        };
        const plan = planOf(items, server);
        const applied = await applyPlan(plan, flaky, { concurrency: 2 });
        expect(applied.done.length + applied.failed.length + applied.skipped.length).toBe(plan.changes.length);
        expect(applied.done).toHaveLength(server.monitors.length);
        await applyPlan(planOf(items, server), server);
        expect(server.monitors).toHaveLength(items.length);
        expect(planOf(items, server).changes).toEqual([]);
      }),
    );
  });
});

describe('a monitor is found again', () => {
  const tcp = { type: 'tcp', name: 'db', host: 'db', port: 1 };

  test('by its key when its name changes', async () => {
    const server = await serverWith([{ ...tcp, key: 'k', name: 'old' }]);
    const [change] = planOf([wanted({ ...tcp, key: 'k', name: 'new' })], server).changes;
    expect(change).toMatchObject({ action: 'update', fields: [{ path: 'name', from: 'old', to: 'new' }] });
  });

  test('by its name when it is given a key', async () => {
    const server = await serverWith([tcp]);
    const [change] = planOf([wanted({ ...tcp, key: 'k' })], server).changes;
    expect(change).toMatchObject({ action: 'update', fields: [{ path: 'key', from: null, to: 'k' }] });
  });

  test('never by a name that two have', async () => {
    const server = await serverWith([tcp, tcp]);
    expect(planChanges([wanted(tcp)], server.monitors)).toMatchObject({
      ok: false,
      faults: [{ message: expect.stringContaining('mon_1, mon_2') as string }],
    });
  });
});

test('a changed type replaces the monitor', async () => {
  const server = await serverWith([{ type: 'ping', name: 'db', host: 'db' }]);
  const items = [wanted({ type: 'tcp', name: 'db', host: 'db', port: 1 })];
  expect(planOf(items, server).changes).toMatchObject([{ action: 'replace' }]);
});

test('a patch holds changed fields alone, and null for an entry that is gone', async () => {
  const http = { type: 'http', name: 'a', url: 'http://a.example' };
  const server = await serverWith([{ ...http, headers: { Accept: 'a', Gone: 'b', 'X.Y': 'c' } }]);
  const [change] = planOf([wanted({ ...http, interval: 30, headers: { Accept: 'a', 'X.Y': 'd' } })], server).changes;
  if (change?.action !== 'update') throw new Error('expected an update');
  expect(patchFrom(change.fields)).toEqual({ interval: 30, headers: { Gone: null, 'X.Y': 'd' } });
});

test('a server that knows neither keys nor labels is compared by name, and left alone', () => {
  const { key: _key, labels: _labels, ...rest } = wanted({ type: 'ping', name: 'a', host: 'a' }).value;
  const old = { ...rest, id: 'mon_1' } as never;
  expect(planOf([wanted({ type: 'ping', name: 'a', host: 'a', key: 'k' })], { monitors: [old] }).changes).toEqual([]);
});
