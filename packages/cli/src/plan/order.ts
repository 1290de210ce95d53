import { allKinds } from '../kinds/index.ts';
import type { Kind } from '../kinds/kind.ts';
import type { Action, Change } from './change.ts';

/** A phase of an apply. The changes in one phase do not depend on each other. */
export interface Phase {
  kind: Kind;
  actions: readonly Action[];
  /** The maximum number of calls at once, if it is lower than in other phases. */
  maxConcurrent?: number;
}

/**
 * The order of the changes in an apply:
 * - An apply changes an object before the objects that refer to it. Within one kind, it creates before it updates.
 * - It replaces one monitor at a time. Each replacement needs room for one more monitor, and the plan of the account
 *   may have room for only one.
 * - It deletes last, in reverse order, so that there is no gap in monitoring.
 */
export const phases: readonly Phase[] = [
  ...allKinds.flatMap((kind): Phase[] => [
    { kind, actions: ['create'] },
    { kind, actions: ['update'] },
    { kind, actions: ['replace'], maxConcurrent: 1 },
  ]),
  ...allKinds.toReversed().map((kind): Phase => ({ kind, actions: ['delete'] })),
];

/** Returns the changes that belong to a phase. */
export const changesOf = ({ kind, actions }: Phase, changes: readonly Change[]): Change[] =>
  changes.filter((change) => change.kind === kind && actions.includes(change.action));

export const inOrder = (changes: readonly Change[]): Change[] => phases.flatMap((phase) => changesOf(phase, changes));
