import type { Uptime } from '@uptime/sdk';
import type { Context } from '../context.ts';
import { CliError } from '../exit.ts';
import { allKinds } from '../kinds/index.ts';
import { fieldsOf, type Kind, type Remote } from '../kinds/kind.ts';
import { readAll, readIfKnown } from '../kinds/read-all.ts';
import { sortDiagnostics } from '../manifest/diagnostic.ts';
import type { Wanted } from '../manifest/item.ts';
import { ManifestFaults } from '../manifest/manifest-faults.ts';
import type { ManifestChoice } from '../manifest/manifest-choice.ts';
import { readManifests } from '../manifest/read.ts';
import type { Manifest } from '../manifest/validate.ts';
import { plain } from '../output.ts';
import type { SettingFlags } from '../settings.ts';
import type { Plan } from './change.ts';
import { ownerOf } from './ownership.ts';
import { planChanges, type PlanningOptions, type Remotes } from './plan.ts';

/**
 * A plan, and the data from which it was made. `existing` is the number of resources on the server that this manifest
 * manages, for each kind.
 */
export interface PreparedPlan extends Pick<Manifest, 'sources' | 'variables' | 'documents' | 'environment'> {
  client: Uptime;
  items: readonly Wanted[];
  remotes: Remotes;
  plan: Plan;
  existing: ReadonlyMap<Kind, number>;
}

interface MakingOptions {
  settings: SettingFlags;
  prune: boolean;
  /** Whether the plan is only read and never applied. A pull uses such a plan. */
  isOnlyLooking?: boolean;
  /** Whether the plan may take over resources that other manifests manage. */
  takeOver?: boolean;
}

/**
 * Reads manifests, reads the resources from the server, and compares both. Throws if the server cannot be read. So a
 * failed read is never taken for an empty project.
 */
export async function makePlan(
  options: { manifest: ManifestChoice } & MakingOptions,
  context: Context,
): Promise<PreparedPlan> {
  return planOfManifest(await readManifests(options.manifest, context), options, context);
}

/** Makes the plan for a manifest that was already read. */
export async function planOfManifest(
  { items, lists, sources, variables, documents, environment, owner }: Manifest,
  options: MakingOptions,
  context: Context,
): Promise<PreparedPlan> {
  const client = await context.connect(options.settings);
  const listed = allKinds.filter(({ list }) => lists.has(list));
  const named = new Set(items.flatMap(({ kind }) => Object.values(kind.references).map(({ kind: name }) => name)));
  const remotes = new Map<Kind, readonly Remote[]>();
  for (const kind of allKinds) {
    if (listed.includes(kind) || named.has(kind.name)) remotes.set(kind, await readAll(kind, client, context.signal));
  }
  const now = Date.now();
  if (owner !== null) reportUnknownOwner([...remotes.values()].flat(), options, context);
  const { takeOver = false, isOnlyLooking = false } = options;
  const compared = { prune: options.prune ? listed : [], now, owner, takeOver, isOnlyLooking };
  const plan = planOf(items, remotes, compared);
  const naming = namingReplaced(plan, remotes);
  for (const kind of naming) {
    const read = await readIfKnown(kind, client, context.signal);
    remotes.set(kind, 'remotes' in read ? read.remotes : []);
  }
  for (const [kind, there] of remotes) {
    const note = there.length > 0 && kind.cannotCompare?.(there);
    if (note) context.io.say(`${context.io.err.yellow('note:')} ${note}`);
  }
  reportOver(plan, context);
  const standing = (kind: Kind, there: readonly Remote[]) =>
    there.filter((remote) => ownerOf(remote) === owner && kind.phase?.(fieldsOf(remote), now) !== 'over');
  return {
    client,
    items,
    sources,
    variables,
    documents,
    environment,
    remotes,
    plan: naming.length > 0 ? planOf(items, remotes, compared) : plan,
    existing: new Map([...remotes].map(([kind, there]) => [kind, standing(kind, there).length])),
  };
}

/** Prints a single note about all maintenance windows that are over. */
function reportOver({ over }: Plan, { io }: Context): void {
  const [first, ...more] = over;
  if (!first) return;
  const what =
    more.length === 0
      ? `the ${first.kind.one} ${JSON.stringify(plain(first.value.name))} is over`
      : `${over.length} ${first.kind.many} are over`;
  const them = more.length === 0 ? 'it' : 'them';
  io.say(`${io.err.yellow('note:')} ${what} and not changed; you may remove ${them} from the manifest`);
}

/**
 * Warns if an older server does not store which manifest manages a resource. With `--prune`, throws a CliError, because
 * the plan could not tell which resources belong to this manifest.
 */
function reportUnknownOwner(remotes: readonly Remote[], { prune }: MakingOptions, { io }: Context): void {
  if (remotes.every(({ managedBy }) => managedBy !== undefined)) return;
  const reason = 'this server does not store `managedBy`';
  if (prune)
    throw new CliError(
      `${reason}, so --prune and a pull cannot tell which objects belong to this manifest; nothing was changed`,
      {
        exit: 'usage',
        next: 'leave --prune out (for a pull, add --no-new), or update the server',
      },
    );
  io.say(`${io.err.yellow('note:')} ${reason}, so other manifests may change the same objects`);
}

function planOf(items: readonly Wanted[], remotes: Remotes, options: PlanningOptions): Plan {
  const planned = planChanges(items, remotes, options);
  if (planned.ok) return planned.plan;
  throw new ManifestFaults('nothing was changed', sortDiagnostics(planned.faults), { exit: 'usage' });
}

/** Returns the kinds that may refer to replaced resources, and whose resources were not read yet. */
function namingReplaced({ changes }: Plan, remotes: Remotes): Kind[] {
  const replaced = new Set(changes.filter(({ action }) => action === 'replace').map(({ kind }) => kind.name));
  return allKinds.filter(
    (kind) => !remotes.has(kind) && Object.values(kind.references).some((reference) => replaced.has(reference.kind)),
  );
}
