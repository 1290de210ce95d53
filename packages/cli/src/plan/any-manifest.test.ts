import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { allKinds, kinds } from '../kinds/index.ts';
import { type Fields, fieldsOf, identityOf, type Kind } from '../kinds/kind.ts';
import { createModelServer } from '../testing/model-server.ts';
import { apply, http, mail, planOf } from '../testing/plan-of.ts';
import { applyPlan } from './apply.ts';

const { channel, monitor, alertRule, statusPage } = kinds;

const letters = ['a', 'b', 'c', 'd'];
const some = fc.subarray(letters);
const items = (kind: Kind, fields: fc.Arbitrary<Fields>) =>
  fc
    .tuple(
      fc.subarray(letters, { minLength: kind === monitor || kind === channel ? 1 : 0 }),
      fc.array(fields, { minLength: 4, maxLength: 4 }),
    )
    .map(([keys, all]) => keys.map((key, i) => ({ ...all[i], key, name: key })));
const within = (names: readonly string[], all: readonly Fields[]) =>
  names.filter((name) => all.some(({ key }) => key === name));

const manifests = fc
  .record({
    monitors: items(monitor, fc.constantFrom<Fields>(http, { type: 'tcp', host: 'a', port: 1 })),
    channels: items(
      channel,
      fc.constantFrom<Fields>(
        mail,
        ...['x', 'y'].map((end) => ({ type: 'slack', config: { webhookUrl: `https://${end}.example/` } })),
      ),
    ),
    alertRules: items(alertRule, fc.record({ monitors: some, channels: some })),
    statusPages: items(statusPage, fc.record({ monitors: some })),
    maintenance: fc.uniqueArray(
      fc.record({
        title: fc.constantFrom('a', 'b'),
        scheduledStart: fc.constantFrom('2030-01-01T00:00:00Z', '2030-02-01T00:00:00Z'),
        scheduledEnd: fc.constantFrom('2030-03-01T00:00:00Z', '2030-04-01T00:00:00Z'),
        monitors: some,
      }),
      { selector: ({ title, scheduledStart }) => title + scheduledStart },
    ),
  })
  .map(({ monitors, channels, alertRules, statusPages, maintenance }) => ({
    monitors,
    channels,
    maintenance: maintenance.map((window) => ({ ...window, monitors: within(window.monitors, monitors) })),
    alertRules: alertRules.map((rule) => ({
      ...rule,
      monitors: within((rule as Fields)['monitors'] as string[], monitors),
      channels: within((rule as Fields)['channels'] as string[], channels),
    })),
    statusPages: statusPages.map((page) => ({
      ...page,
      slug: page.key,
      monitors: within((page as Fields)['monitors'] as string[], monitors),
    })),
  }));

test('two applies bring a server from any manifest to any other, even if a call of the first apply fails', async () => {
  await fc.assert(
    fc.asyncProperty(manifests, manifests, fc.nat(12), async (first, second, failing) => {
      const server = createModelServer();
      await apply(first, server);
      let calls = 0;
      const flaky = (kind: Kind) => {
        const sound = server.writerOf(kind);
        const cut =
          <A extends unknown[], R>(call: (...args: A) => Promise<R>) =>
          (...args: A): Promise<R> =>
            calls++ === failing ? Promise.reject(new Error('cut')) : call(...args);
        return { create: cut(sound.create), update: cut(sound.update), delete: cut(sound.delete) };
      };
      await applyPlan(planOf(second, server, { prune: true }), flaky, { concurrency: 2 });
      await apply(second, server, { prune: true });
      expect(planOf(second, server, { prune: true }).changes).toEqual([]);
      for (const kind of allKinds) {
        const identities = (all: readonly Fields[]) =>
          all.map((one) => identityOf(kind, { name: one['title'], ...one }));
        const wanted: readonly Fields[] = second[kind.list];
        expect(identities(server.list(kind).map(fieldsOf)).toSorted()).toEqual(identities(wanted).toSorted());
      }
    }),
    { numRuns: 300 },
  );
});
