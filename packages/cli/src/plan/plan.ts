import type { Kind, KindName, Remote } from '../kinds/kind.ts';
import { type Fields, fieldsOf, type Phase } from '../kinds/kind.ts';
import type { Diagnostic } from '../manifest/diagnostic.ts';
import { type Wanted, wantedFrom } from '../manifest/item.ts';
import { labelOf, lookupIn, resolveReferences, type Target } from '../manifest/references.ts';
import type { Change, FieldChange, Plan, Targets } from './change.ts';
import { fieldChanges, referenceChanges } from './diff.ts';
import { type Matched, match } from './match.ts';
import { inOrder } from './order.ts';
import { foreignItems, ownerOf, type Ownership } from './ownership.ts';

export type Planned = { ok: true; plan: Plan } | { ok: false; faults: Diagnostic[] };

/** The resources on the server, by kind, for the kinds that were read. */
export type Remotes = ReadonlyMap<Kind, readonly Remote[]>;

/** One kind with its wanted items, its resources on the server, and their matches. */
interface Side extends Matched {
  kind: Kind;
  items: readonly Wanted[];
  targets: Map<Wanted | Remote, Target>;
}

export interface PlanningOptions extends Partial<Ownership> {
  prune?: readonly Kind[];
  /**
   * Set if the plan is never applied, as in a pull. Then its deletions only show which resources the manifest lacks.
   */
  isOnlyLooking?: boolean;
  now?: number;
}

/**
 * Compares wanted items with the resources on the server, for the kinds that were read. The plan deletes unwanted
 * resources of the kinds in `prune`, but only those whose `managedBy` is `owner`. Without an owner, it deletes only
 * those that no manifest manages. It does not delete maintenance windows that have begun by `now` (epoch milliseconds).
 * It never changes windows that are over. Does no I/O.
 */
export function planChanges(
  items: readonly Wanted[],
  remotes: Remotes,
  { prune = [], isOnlyLooking = false, now = 0, owner = null, takeOver = false }: PlanningOptions = {},
): Planned {
  const sides = [...remotes].map(([kind, there]) => sideOf(kind, items, there, owner));
  const lookups = new Map(sides.map((side) => [side.kind.name, lookupIn([...side.targets.values()], side.kind)]));
  const faults = sides.flatMap((side) => [...ambiguities(side), ...foreignItems(side, { owner, takeOver })]);
  const targets = new Map<Wanted, Targets>();
  for (const item of items) {
    if (item.kind.phase?.(item.value, now) === 'over') continue;
    const resolved = resolveReferences(item, lookups);
    targets.set(item, resolved.targets);
    faults.push(...resolved.faults, ...pruned(item, resolved.targets, isOnlyLooking ? [] : prune, owner));
  }
  if (faults.length > 0) return { ok: false, faults };

  const names = namesOf(sides);
  const changes: Change[] = [];
  const unchanged: Plan['unchanged'] = [];
  const over: Wanted[] = [];
  for (const { kind, items: wanted, pairs, unmatched } of sides) {
    const phaseOf = (fields: Fields): Phase => kind.phase?.(fields, now) ?? 'ahead';
    for (const item of wanted) {
      const current = pairs.get(item);
      if (phaseOf(item.value) === 'over' || (current && phaseOf(fieldsOf(current)) === 'over')) {
        over.push(item);
        continue;
      }
      const change = changeOf(item, current, targets.get(item)!, names);
      if (change) changes.push(change);
      else unchanged.push({ wanted: item, current: current! });
    }
    for (const current of unmatched) {
      const phase = phaseOf(fieldsOf(current));
      const isPruned = prune.includes(kind) && ownerOf(current) === owner;
      if (isPruned && phase === 'ahead') changes.push({ action: 'delete', kind, current });
      else if (!isPruned && phase !== 'over') changes.push(...followReplaced(kind, current, sides, names));
    }
  }
  return { ok: true, plan: { changes: inOrder(changes), unchanged, over } };
}

function sideOf(kind: Kind, items: readonly Wanted[], remotes: readonly Remote[], owner: string | null): Side {
  const own = items.filter((item) => item.kind === kind);
  const matched = match(kind, own, remotes, owner);
  const targets = new Map<Wanted | Remote, Target>();
  for (const wanted of own) {
    const { key, name } = wanted.value;
    const current = matched.pairs.get(wanted) ?? null;
    targets.set(wanted, { key, name, wanted, current: current && isReplaced(wanted, current) ? null : current });
  }
  for (const current of matched.unmatched) {
    targets.set(current, { key: current.key ?? null, name: current.name, wanted: null, current });
  }
  return { kind, items: own, ...matched, targets };
}

function changeOf(wanted: Wanted, current: Remote | undefined, targets: Targets, names: Names): Change | null {
  const { kind } = wanted;
  if (!current) return { action: 'create', kind, wanted, targets };
  if (isReplaced(wanted, current)) return { action: 'replace', kind, wanted, current, targets };
  const fields = [...fieldChanges(wanted, current), ...referenceChanges(wanted, current, targets, names)];
  return fields.length > 0 ? { action: 'update', kind, wanted, current, fields, targets } : null;
}

const isReplaced = ({ kind: { fixed }, value }: Wanted, current: Remote): boolean =>
  fixed !== undefined && fieldsOf(current)[fixed] !== value[fixed];

/**
 * Returns the update of a resource that is not in the manifest. Such a resource needs an update only if it refers to a
 * resource that the plan replaces.
 */
function followReplaced(kind: Kind, current: Remote, sides: readonly Side[], names: Names): Change[] {
  const targets: Record<string, Target[]> = {};
  for (const [field, reference] of Object.entries(kind.references)) {
    const side = sides.find(({ kind: { name } }) => name === reference.kind);
    const replaced = [...(side?.pairs ?? [])].filter(([wanted, there]) => isReplaced(wanted, there));
    const ids = fieldsOf(current)[reference.ids] as string[];
    if (!side || !replaced.some(([, { id }]) => ids.includes(id))) continue;
    const byId = new Map([...side.pairs].map(([wanted, { id }]) => [id, side.targets.get(wanted)!]));
    for (const one of side.unmatched) byId.set(one.id, side.targets.get(one)!);
    targets[field] = ids.flatMap((id) => byId.get(id) ?? []);
  }
  const wanted = wantedFrom(kind, { key: current.key ?? null, name: current.name });
  const fields: FieldChange[] = referenceChanges(wanted, current, targets, names);
  return fields.length > 0 ? [{ action: 'update', kind, wanted, current, fields, targets }] : [];
}

/** Returns the key or name for an id: from the manifest if the manifest has the resource, or else from the server. */
type Names = (id: string) => string;

function namesOf(sides: readonly Side[]): Names {
  const names = new Map<string, string>();
  for (const { pairs, unmatched } of sides) {
    for (const [{ value }, { id }] of pairs) names.set(id, labelOf(value));
    for (const remote of unmatched) names.set(remote.id, labelOf(remote));
  }
  return (id) => names.get(id) ?? id;
}

const ambiguities = ({ kind, ambiguous }: Side): Diagnostic[] =>
  ambiguous.map(({ wanted, candidates }) => ({
    ...wanted.place('name'),
    message:
      `the server has ${candidates.length} ${kind.many} named ${JSON.stringify(candidates[0]!.name)} ` +
      `(${candidates.map(({ id }) => id).join(', ')}); rename or delete all but one there, or give this item the \`key\` of one of them`,
  }));

/** Returns a fault for each reference to a resource that the same plan deletes. */
function pruned(
  { kind, value, place }: Wanted,
  targets: Targets,
  prune: readonly Kind[],
  owner: string | null,
): Diagnostic[] {
  const kinds = new Set<KindName>(prune.map(({ name }) => name));
  return Object.entries(targets).flatMap(([field, all]) =>
    all.flatMap((target) => {
      if (target.wanted || !kinds.has(kind.references[field]!.kind)) return [];
      if (target.current && ownerOf(target.current) !== owner) return [];
      const message = `${JSON.stringify(labelOf(target))} is not in the manifest, so --prune would delete it`;
      // `all` has each target only once, so its indexes may differ from those of the manifest.
      const words = value[field] as string[];
      const byKey = target.key === null ? -1 : words.indexOf(target.key);
      const index = byKey === -1 ? words.indexOf(target.name) : byKey;
      return [{ ...place(index === -1 ? 'monitorsWith' : `${field}.${index}`), message }];
    }),
  );
}
