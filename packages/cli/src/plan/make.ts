import type { Uptime } from '@uptime/sdk';
import type { Context } from '../context.ts';
import { CliError } from '../exit.ts';
import { allKinds } from '../kinds/index.ts';
import { fieldsOf, type Kind, type Remote } from '../kinds/kind.ts';
import { readAll, readIfKnown } from '../kinds/read-all.ts';
import { type Diagnostic, formatDiagnostic, sortDiagnostics } from '../manifest/diagnostic.ts';
import type { Wanted } from '../manifest/item.ts';
import { readManifests } from '../manifest/read.ts';
import type { Manifest } from '../manifest/validate.ts';
import { plain } from '../output.ts';
import type { SettingFlags } from '../settings.ts';
import type { Plan } from './change.ts';
import { planChanges, type Remotes } from './plan.ts';

/** Faults that a manifest has only in combination with the server's resources. */
export class PlanFaults extends CliError {
  readonly faults: Diagnostic[];

  constructor(faults: Diagnostic[]) {
    super(`nothing was changed\n${faults.map(formatDiagnostic).join('\n')}`, { exit: 'usage' });
    this.faults = faults;
  }
}

/** A plan, the data that it was made from, and how many resources of each kind the server has. */
export interface Made {
  client: Uptime;
  items: readonly Wanted[];
  remotes: Remotes;
  plan: Plan;
  existing: ReadonlyMap<Kind, number>;
}

/**
 * Reads manifests, then the kinds that they need from the server, and compares them. Throws if the server cannot be
 * read; it never counts as empty.
 */
export async function makePlan(
  options: { files: readonly string[]; settings: SettingFlags; prune: boolean },
  context: Context,
): Promise<Made> {
  return planOfManifest(await readManifests(options.files, context), options, context);
}

/** Makes the plan of a manifest that was already read. */
export async function planOfManifest(
  { items, lists }: Manifest,
  options: { settings: SettingFlags; prune: boolean },
  context: Context,
): Promise<Made> {
  const client = await context.connect(options.settings);
  const listed = allKinds.filter(({ list }) => lists.has(list));
  const named = new Set(items.flatMap(({ kind }) => Object.values(kind.references).map(({ kind: name }) => name)));
  const remotes = new Map<Kind, readonly Remote[]>();
  for (const kind of allKinds) {
    if (listed.includes(kind) || named.has(kind.name)) remotes.set(kind, await readAll(kind, client, context.signal));
  }
  const now = Date.now();
  const compared = { prune: options.prune ? listed : [], now };
  const plan = planOf(items, remotes, compared);
  const naming = namingReplaced(plan, remotes);
  for (const kind of naming) {
    const read = await readIfKnown(kind, client, context.signal);
    remotes.set(kind, 'remotes' in read ? read.remotes : []);
  }
  for (const [kind, there] of remotes) {
    const blindness = there.length > 0 && kind.blindness?.(there);
    if (blindness) context.io.say(`${context.io.err.yellow('note:')} ${blindness}`);
  }
  tellOver(plan, context);
  const standing = (kind: Kind, there: readonly Remote[]) =>
    there.filter((remote) => kind.phase?.(fieldsOf(remote), now) !== 'over');
  return {
    client,
    items,
    remotes,
    plan: naming.length > 0 ? planOf(items, remotes, compared) : plan,
    existing: new Map([...remotes].map(([kind, there]) => [kind, standing(kind, there).length])),
  };
}

/** Prints one note about all items that are over. */
function tellOver({ over }: Plan, { io }: Context): void {
  const [first, ...more] = over;
  if (!first) return;
  const what =
    more.length === 0
      ? `the ${first.kind.one} ${JSON.stringify(plain(first.value.name))} is over`
      : `${over.length} ${first.kind.many} are over`;
  const them = more.length === 0 ? 'it' : 'them';
  io.say(`${io.err.yellow('note:')} ${what} and not changed; you may remove ${them} from the manifest`);
}

function planOf(items: readonly Wanted[], remotes: Remotes, options: { prune: readonly Kind[]; now: number }): Plan {
  const planned = planChanges(items, remotes, options);
  if (planned.ok) return planned.plan;
  throw new PlanFaults(sortDiagnostics(planned.faults));
}

/** Returns kinds that may refer to replaced resources, and that were not read yet. */
function namingReplaced({ changes }: Plan, remotes: Remotes): Kind[] {
  const replaced = new Set(changes.filter(({ action }) => action === 'replace').map(({ kind }) => kind.name));
  return allKinds.filter(
    (kind) => !remotes.has(kind) && Object.values(kind.references).some((reference) => replaced.has(reference.kind)),
  );
}
