import type { Kind } from '../kinds/kind.ts';
import type { Plan } from './change.ts';

/** A plan that deletes more than this share of a project's resources of one kind requires --allow-deletes. */
const share = 0.3;
/** A plan may delete any share of the resources of one kind if the project has fewer than this. */
const least = 10;

/** Returns why a plan probably deletes more than intended, or null. */
export function tooManyDeletes({ changes }: Plan, existing: ReadonlyMap<Kind, number>): string | null {
  for (const [kind, count] of existing) {
    const deletes = changes.filter((change) => change.action === 'delete' && change.kind === kind).length;
    if (count >= least && deletes > count * share) {
      return `the plan deletes ${deletes} of ${count} ${kind.many}, more than ${share * 100} %`;
    }
  }
  return null;
}
