import type { Plan } from './change.ts';

/** Deleting more than this share of a project's monitors asks for --allow-deletes … */
const share = 0.3;
/** … where the project has at least this many. */
const least = 10;

/** Why a plan deletes too much to be meant, or null. */
export function tooManyDeletes({ changes }: Plan, existing: number): string | null {
  const deletes = changes.filter(({ action }) => action === 'delete').length;
  if (existing < least || deletes <= existing * share) return null;
  return `the plan deletes ${deletes} of ${existing} monitors, more than ${share * 100} %`;
}
