import { readFile } from 'node:fs/promises';
import { Uptime } from '@uptime/sdk';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { usageOf } from '../../../daemon/src/plans/usage.ts';
import { passingCheck } from '../../../daemon/src/testing/passing-check.ts';
import { createTestDaemon, type TestDaemon } from '../../../daemon/src/testing/test-daemon.ts';
import { allKinds } from '../kinds/index.ts';
import { readAll } from '../kinds/read-all.ts';
import { validateManifests } from '../manifest/validate.ts';
import { applyPlan } from '../plan/apply.ts';
import { planChanges } from '../plan/plan.ts';
import { addedBytes } from './stored-bytes.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await createTestDaemon({ runCheck: passingCheck });
});
afterAll(() => daemon.close());

const bodies = Array.from(
  { length: 20 },
  (_, at) =>
    `  - { name: "b${at}", type: http, url: "https://ada:geheim@a.example/?token=${'t'.repeat(20 * at)}", headers: { X-A: "${'h'.repeat(30 * at)}", Accept: "*/*" }, method: POST, body: "${'ü'.repeat(300 * at + 1)}" }`,
);
const manifests = [
  ['all types', () => readFile(new URL('../../../../examples/all-types/monitors.yaml', import.meta.url), 'utf8')],
  ['a team', () => readFile(new URL('../../../../examples/team/monitors.yaml', import.meta.url), 'utf8')],
  ['secrets', async () => ['monitors:', ...bodies].join('\n')],
] as const;

test.each(manifests)(
  'an apply of the manifest "%s" uses at most the predicted storage, and not much less',
  async (name, read) => {
    const { apiKey, project } = await daemon.another(name.replaceAll(' ', '-'));
    const client = new Uptime({ siteUrl: daemon.url, apiKey });
    const { signal } = new AbortController();
    const text = await read();
    const env = Object.fromEntries(
      [...text.matchAll(/\$\{(\w+)/g)].map(([, variable]) => [
        variable!,
        /PHONE|NUMBER/.test(variable!) ? '+15550100' : 'https://a.example/secret',
      ]),
    );
    const change = async (written: string) => {
      const { items, faults } = validateManifests([{ name: 'm.yaml', text: written }], env);
      expect(faults).toEqual([]);
      const remotes = new Map<(typeof allKinds)[number], Awaited<ReturnType<typeof readAll>>>();
      for (const kind of allKinds) remotes.set(kind, await readAll(kind, client, signal));
      const planned = planChanges(items, remotes);
      if (!planned.ok) throw new Error(JSON.stringify(planned.faults));
      const estimated = planned.plan.changes.reduce((sum, one) => sum + addedBytes(one), 0);
      const before = await stored();
      const applied = await applyPlan(planned.plan, (kind) => kind.collection(client));
      expect(applied.failed).toEqual([]);
      return { estimated, took: (await stored()) - before };
    };
    const stored = async () => {
      const row = await daemon.store.db
        .selectFrom('project')
        .selectAll()
        .where('id', '=', project.id)
        .executeTakeFirstOrThrow();
      return (await usageOf(daemon.store.db, row)).storageMegabytes * 1_048_576;
    };
    const created = await change(text);
    expect(created.took).toBeLessThanOrEqual(created.estimated);
    expect(created.took).toBeGreaterThan(0.55 * created.estimated);
    const edited = await change(
      text.replaceAll(/(?<!\w)name: "?(?=\w)/g, (found) => `${found}Longer `).replaceAll('geheim', 'geheimer'),
    );
    expect(edited.took).toBeLessThanOrEqual(edited.estimated);
  },
);
