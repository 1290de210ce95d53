import { expect } from 'vitest';
import { allKinds, kinds } from '../kinds/index.ts';
import type { Fields, Kind, KindName } from '../kinds/kind.ts';
import { validateManifests } from '../manifest/validate.ts';
import { applyPlan } from '../plan/apply.ts';
import { planChanges } from '../plan/plan.ts';
import { editedTexts } from '../pull/edited-texts.ts';
import { pullInto } from '../pull/pull.ts';
import { createModelServer, type ModelServer } from './model-server.ts';

export interface PullOptions {
  environment?: string;
  env?: Record<string, string>;
}

function planned(text: string, server: ModelServer, { environment, env = {} }: PullOptions) {
  const manifest = validateManifests([{ name: 'm.yaml', text }], env, 0, { environment: environment ?? null });
  expect([...manifest.faults, ...manifest.dangling]).toEqual([]);
  const remotes = server.remotes(...allKinds);
  const prune = allKinds.filter(({ list }) => manifest.lists.has(list));
  const found = planChanges(manifest.items, remotes, { prune, isOnlyLooking: true });
  if (!found.ok) throw new Error(found.faults.map(({ message }) => message).join('\n'));
  return { ...manifest, remotes, plan: found.plan };
}

/** A change on the server: an update or a deletion of the resource with this name, or a creation. */
export type Edit = [kind: KindName, name: string | null, fields: Fields | null];

async function edit(server: ModelServer, [name, of, fields]: Edit): Promise<void> {
  const kind: Kind = kinds[name];
  const writer = server.writerOf(kind);
  const id = server.list(kind).find((remote) => remote.name === of)?.id ?? '';
  if (of === null) await writer.create(fields!);
  else if (fields) await writer.update(id, withIds(server, fields));
  else await writer.delete(id);
}

/** Returns the fields with ids in place of the names of monitors. */
function withIds(server: ModelServer, { monitors: names, ...fields }: Fields): Fields {
  const all = server.list(kinds.monitor);
  const idOf = (name: string) => all.find((remote) => remote.name === name)?.id;
  return names === undefined ? fields : { ...fields, monitorIds: (names as string[]).map(idOf) };
}

/** Applies a manifest, edits the server, and pulls. Returns the new text, and the edits that could not be written. */
export async function pullEdits(text: string, edits: readonly Edit[], options: PullOptions = {}) {
  const server = createModelServer();
  const { failed } = await applyPlan(planned(text, server, options).plan, server.writerOf);
  expect(failed).toEqual([]);
  for (const one of edits) await edit(server, one);
  const pulled = pullInto(planned(text, server, options));
  const after = editedTexts(pulled).get('m.yaml') ?? text;
  if (pulled.unwritten.length === 0 && pulled.variables.length === 0)
    expect(planned(after, server, options).plan.changes, after).toEqual([]);
  return { after, unwritten: pulled.unwritten };
}
