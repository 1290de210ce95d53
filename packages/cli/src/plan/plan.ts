import type { Monitor } from '@uptime/sdk';
import type { Diagnostic } from '../manifest/diagnostic.ts';
import type { Wanted } from '../manifest/item.ts';
import type { Change, Plan } from './change.ts';
import { fieldChanges } from './diff.ts';
import { match } from './match.ts';
import { inOrder } from './order.ts';

export type Planned = { ok: true; plan: Plan } | { ok: false; faults: Diagnostic[] };

/** Compares what is wanted with what the server has. With `prune`, what nobody wants is deleted. Does no I/O. */
export function planChanges(
  wanted: readonly Wanted[],
  monitors: readonly Monitor[],
  options: { prune?: boolean } = {},
): Planned {
  const { pairs, left, ambiguous } = match(wanted, monitors);
  if (ambiguous.length > 0) {
    return {
      ok: false,
      faults: ambiguous.map(({ wanted, candidates }) => ({
        ...wanted.place('name'),
        message:
          `the server has ${candidates.length} monitors named ${JSON.stringify(wanted.value.name)} ` +
          `(${candidates.map(({ id }) => id).join(', ')}); rename or delete all but one there, or give this one a \`key\` that one of them has`,
      })),
    };
  }
  const changes: Change[] = [];
  const unchanged: Plan['unchanged'] = [];
  for (const item of wanted) {
    const current = pairs.get(item);
    if (!current) changes.push({ action: 'create', wanted: item });
    else if (current.type !== item.value.type) changes.push({ action: 'replace', wanted: item, current });
    else {
      const fields = fieldChanges(item, current);
      if (fields.length > 0) changes.push({ action: 'update', wanted: item, current, fields });
      else unchanged.push({ wanted: item, current });
    }
  }
  if (options.prune) changes.push(...left.map((current): Change => ({ action: 'delete', current })));
  return { ok: true, plan: { changes: inOrder(changes), unchanged } };
}
