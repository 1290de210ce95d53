import { Chalk } from 'chalk';
import { expect } from 'vitest';
import { allKinds } from '../kinds/index.ts';
import type { Fields, Kind } from '../kinds/kind.ts';
import { validateManifests } from '../manifest/validate.ts';
import { applyPlan } from '../plan/apply.ts';
import type { Plan } from '../plan/change.ts';
import { planChanges } from '../plan/plan.ts';
import { renderJson } from '../plan/render-json.ts';
import { renderText } from '../plan/render-text.ts';
import type { ModelServer } from './model-server.ts';

/** The lists of a manifest, by their names. */
export type Lists = Partial<Record<Kind['list'], readonly Fields[]>>;

/** Reads lists as a manifest. The lists are passed as JSON, which is also valid YAML. */
export function read(lists: Lists, env: Record<string, string> = {}) {
  const manifest = validateManifests([{ name: 'm.yaml', text: JSON.stringify(lists) }], env);
  expect(manifest.faults).toEqual([]);
  return manifest;
}

/** Makes the plan for a manifest and a server in memory. */
export function planOf(lists: Lists, server: ModelServer, { prune = false, env = {}, now = 0 } = {}): Plan {
  const manifest = read(lists, env);
  const listed = allKinds.filter(({ list }) => manifest.lists.has(list));
  const planned = planChanges(manifest.items, server.remotes(...allKinds), { prune: prune ? listed : [], now });
  if (!planned.ok) throw new Error(planned.faults.map(({ message }) => message).join('\n'));
  return planned.plan;
}

/** Applies a manifest to a server in memory. Checks that no change fails. */
export async function apply(
  lists: Lists,
  server: ModelServer,
  options: Parameters<typeof planOf>[2] = {},
): Promise<Plan> {
  const plan = planOf(lists, server, options);
  const { failed } = await applyPlan(plan, server.writerOf, { concurrency: 3 });
  expect(failed).toEqual([]);
  return plan;
}

/** Renders a plan both for people and for programs, in one text. */
export const asText = (plan: Plan): string =>
  `${renderText(plan, new Chalk({ level: 0 }))}\n${JSON.stringify(renderJson(plan))}`;

export const http = { type: 'http', url: 'https://a.example/' };
export const mail = { type: 'email', config: { address: 'ops@example.com' } };
export const move = {
  title: 'Move',
  message: 'The database moves.',
  scheduledStart: '2030-05-01T02:00:00Z',
  scheduledEnd: '2030-05-01T04:00:00Z',
};
/** The lists of a manifest with each kind of resource. */
export const team: Lists = {
  monitors: [
    { ...http, key: 'shop', name: 'Shop' },
    { type: 'ping', name: 'Host', host: 'a.example' },
  ],
  channels: [
    { ...mail, key: 'ops', name: 'Ops' },
    { type: 'slack', name: 'Room', config: { webhookUrl: 'https://hooks.example.com/${TOKEN}' } },
  ],
  alertRules: [{ key: 'down', name: 'Down', monitors: ['Host', 'shop'], channels: ['Room', 'ops'] }],
  statusPages: [{ name: 'Status', slug: 'status', monitors: ['Host', 'shop'] }],
  maintenance: [{ ...move, monitors: ['shop'] }],
};
/** The environment variables that {@link team} needs. */
export const env = { TOKEN: 'hush-hush-hush' };
