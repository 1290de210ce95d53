import { interleaveByOwner } from './fair-share.ts';

/** A monitor whose next check is due while an earlier check still runs. */
export interface DueOverlap {
  monitor: number;
  project: string;
  /** How many milliseconds the next check has been due. */
  lateMs: number;
}

export interface OverlapRoom {
  /** Maximum number of overlapping checks that may begin now. */
  maxChecks: number;
  /** How many overlapping checks a project may begin. */
  mayOverlap: (project: string) => number;
  /** How late a project's scheduled checks are, in milliseconds. */
  latenessMs: (project: string) => number;
}

/**
 * If a project's scheduled checks are late by more than this, the project begins no overlapping checks, because those
 * would delay the scheduled checks further.
 */
const tooLateMs = 1000;

/** Returns the overlapping checks that may begin now. Projects take turns. */
export function overlapsToBegin(
  due: readonly DueOverlap[],
  { maxChecks, mayOverlap, latenessMs }: OverlapRoom,
): DueOverlap[] {
  const left = new Map<string, number>();
  const possible = due.filter(({ project }) => {
    if (latenessMs(project) > tooLateMs) return false;
    const room = left.get(project) ?? mayOverlap(project);
    left.set(project, room - 1);
    return room > 0;
  });
  return interleaveByOwner(possible, ({ project }) => project).slice(0, maxChecks);
}
