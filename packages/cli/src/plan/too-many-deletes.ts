import type { Kind } from '../kinds/kind.ts';
import type { Plan } from './change.ts';

/** If a plan deletes more than this share of the resources of one kind, apply requires --allow-deletes. */
const share = 0.3;
/** If the number of resources of one kind is lower than this, a plan may delete any share of them. */
const minDeletes = 10;

/** Returns why the plan probably deletes more than the user intended; null if it does not. */
export function tooManyDeletes({ changes }: Plan, existing: ReadonlyMap<Kind, number>): string | null {
  for (const [kind, count] of existing) {
    const deletes = changes.filter((change) => change.action === 'delete' && change.kind === kind).length;
    if (count >= minDeletes && deletes > count * share) {
      return `the plan deletes ${deletes} of ${count} ${kind.many}, more than ${share * 100} %`;
    }
  }
  return null;
}
