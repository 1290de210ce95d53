import type { Action, Change } from './change.ts';

/** The phases of an apply; the changes of one phase don't depend on each other. */
export const phases: readonly (readonly Action[])[] = [['create'], ['update', 'replace'], ['delete']];

/** Creations first, deletions last: watching never thins out before it is whole. */
export const inOrder = (changes: readonly Change[]): Change[] =>
  phases.flatMap((actions) => changes.filter(({ action }) => actions.includes(action)));
