import { monitorType, monitorTypes } from '@uptime/sdk/contract';
import * as fc from 'fast-check';
import { expect } from 'vitest';
import { stringify } from 'yaml';
import { allKinds } from '../kinds/index.ts';
import type { Fields } from '../kinds/kind.ts';
import type { Includes } from '../manifest/includes.ts';
import { validateManifests } from '../manifest/validate.ts';
import { applyPlan } from '../plan/apply.ts';
import { planChanges } from '../plan/plan.ts';
import { createModelServer, type ModelServer } from './model-server.ts';

const labels = fc.dictionary(fc.constantFrom('team', 'tier'), fc.constantFrom('a', 'b'));
/** Generates fields that every type of monitor has. */
const common: fc.Arbitrary<Fields> = fc.record(
  {
    interval: fc.integer({ min: 10, max: 90 }),
    description: fc.constantFrom('one', 'two: three', '# four', 'on ${HOST:-a.example}'),
    paused: fc.boolean(),
    labels,
  },
  { requiredKeys: [] },
);
const types: fc.Arbitrary<Fields> = fc.constantFrom<Fields>(
  ...monitorTypes.map((type): Fields => ({ type, ...monitorType(type).sample })),
);
const monitor = (prefix: string) =>
  fc
    .record({ id: fc.nat(5), common, type: types, each: fc.boolean(), production: fc.option(common, { nil: null }) })
    .map(({ id, common: fields, type, each, production }): Fields => ({
      ...(each && { forEach: { region: ['eu', 'us'] } }),
      key: `${prefix}${id}${each ? '-${each.region}' : ''}`,
      name: `${prefix} ${id}${each ? ' ${each.region}' : ''}`,
      ...type,
      ...fields,
      ...(production && { overrides: { production } }),
    }));
const file = (prefix: string) =>
  fc.record({
    monitors: fc.uniqueArray(monitor(prefix), { selector: ({ key }) => key, maxLength: 4 }),
    defaults: fc.record(
      { monitors: common, http: fc.record({ timeout: fc.integer({ min: 1, max: 20 }) }) },
      { requiredKeys: [] },
    ),
    overrides: fc.record({ production: fc.record({ defaults: fc.record({ monitors: common }) }) }),
  });

/** Generates a manifest: a file with `include`, and the two files that it includes. */
export const generatedManifest = fc
  .record({ root: file('r'), first: file('f'), second: file('s'), environment: fc.constantFrom('production', null) })
  .map(({ root, first, second, environment }) => ({
    environment,
    files: new Map([
      ['root.yaml', commented({ include: ['teams/*.yaml'], ...root, ...team })],
      ['teams/first.yaml', commented(first)],
      ['teams/second.yaml', commented(second)],
    ]),
  }));

const team = {
  channels: [{ key: 'ops', name: 'Ops', type: 'email', config: { address: 'ops@example.com' } }],
  statusPages: [{ key: 'page', name: 'Page', slug: 'page', monitors: [] }],
};

/** Returns YAML with three comments: at its start, in the middle and at its end. */
const commented = (content: object): string =>
  `# first comment\n${stringify(content).replace(/^monitors:$/m, 'monitors: # the monitors')}# last comment\n`;

export type Files = ReadonlyMap<string, string>;

/** Reads generated files, which exist only in memory, as a manifest. */
export function readFiles(files: Files, environment: string | null) {
  const includes: Includes = {
    identity: (name) => name,
    find: (pattern) =>
      pattern === 'teams/*.yaml'
        ? [...files].filter(([name]) => name.startsWith('teams/')).map(([name, text]) => ({ name, text }))
        : 'matches no file',
  };
  const found = validateManifests([{ name: 'root.yaml', text: files.get('root.yaml')! }], {}, 0, {
    environment,
    includes,
  });
  expect([...found.faults, ...found.dangling]).toEqual([]);
  return found;
}

/** Makes the plan for generated files and a server in memory. */
export function planOfFiles(files: Files, environment: string | null, server: ModelServer) {
  const { items } = readFiles(files, environment);
  const planned = planChanges(items, server.remotes(...allKinds), { prune: allKinds });
  if (!planned.ok) throw new Error(planned.faults.map(({ message }) => message).join('\n'));
  return planned.plan;
}

/** Applies generated manifests with includes, defaults, overrides and `forEach`. Checks that the next plan is empty. */
export async function applyGenerated(count: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(generatedManifest, async ({ files, environment }) => {
      const server = createModelServer();
      const { failed } = await applyPlan(planOfFiles(files, environment, server), server.writerOf);
      expect(failed).toEqual([]);
      expect(planOfFiles(files, environment, server).changes).toEqual([]);
    }),
    { numRuns: count },
  );
}
