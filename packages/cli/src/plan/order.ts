import { allKinds } from '../kinds/index.ts';
import type { Kind } from '../kinds/kind.ts';
import type { Action, Change } from './change.ts';

/** One phase of an apply; the changes of a phase don't depend on each other. */
export interface Phase {
  kind: Kind;
  actions: readonly Action[];
  /** Most calls under way at once, where that is fewer than elsewhere. */
  atOnce?: number;
}

/**
 * Creations before updates, and what is named before what names it. Replacements one by one: each needs room for one
 * more than there was, and a plan may have room for one alone. Deletions last, and the other way round: watching
 * never thins out before it is whole.
 */
export const phases: readonly Phase[] = [
  ...allKinds.flatMap((kind): Phase[] => [
    { kind, actions: ['create'] },
    { kind, actions: ['update'] },
    { kind, actions: ['replace'], atOnce: 1 },
  ]),
  ...allKinds.toReversed().map((kind): Phase => ({ kind, actions: ['delete'] })),
];

/** The changes of a phase. */
export const changesOf = ({ kind, actions }: Phase, changes: readonly Change[]): Change[] =>
  changes.filter((change) => change.kind === kind && actions.includes(change.action));

export const inOrder = (changes: readonly Change[]): Change[] => phases.flatMap((phase) => changesOf(phase, changes));
