import { createHeap, type Heap, type HeapItem } from './heap.ts';

/** The projects that a claim concerns: one, or all except some. */
export type ProjectFilter = { project: string } | { except: readonly string[] };

/** A monitor of the schedule. */
export interface ScheduledMonitor {
  monitor: number;
  project: string;
  /** The version of the monitor's fields. */
  generation: number;
  /** When its next check is due, in milliseconds. */
  nextAt: number;
}

/** One region's schedule in memory: when each monitor is due, and which are claimed. All times in milliseconds. */
export interface DueSchedule {
  /** Adds or replaces a monitor. It is not claimed afterwards. */
  set(monitor: ScheduledMonitor): void;
  remove(monitor: number): void;
  /** The monitor as it is scheduled, and whether it is claimed. */
  find(monitor: number): Readonly<ScheduledMonitor & { claimed: boolean }> | undefined;
  /** Claims up to `limit` monitors that are due, the longest due first. */
  claimDue(claim: { now: number; limit: number; of?: ProjectFilter | undefined }): ScheduledMonitor[];
  /** Claims a monitor, due or not. Returns whether it was free. */
  claim(monitor: number): boolean;
  /** Ends the claim of a monitor. `nextAt` is its next time; null does not change it. */
  release(monitor: number, nextAt: number | null): void;
  /** Moves the next check of a monitor to a later time, and never back. A claim stays. */
  delay(monitor: number, nextAt: number): void;
  /** The first time at which a free monitor of these projects is due; null if there is none. */
  firstAt(of?: ProjectFilter): number | null;
  /** How many monitors of a project are due and free. */
  countDue(project: string, now: number): number;
  size(): number;
}

interface Entry extends HeapItem, ScheduledMonitor {
  line: Line;
}

/** The free monitors of one project, in order of their times. */
interface Line extends HeapItem {
  project: string;
  free: Heap<Entry>;
  /** Its monitors, claimed ones too. */
  count: number;
}

const timeOf = (entry: Entry) => entry.nextAt;
const timeOfLine = ({ free }: Line) => free.first()?.nextAt ?? Infinity;

/** Creates an empty schedule. A claim takes logarithmic time, whatever the backlog of other projects is. */
export function createDueSchedule(): DueSchedule {
  const entries = new Map<number, Entry>();
  const lineOf = new Map<string, Line>();
  const lines = createHeap<Line>(timeOfLine);

  const joinLine = (project: string): Line => {
    let line = lineOf.get(project);
    if (!line) {
      line = { project, free: createHeap(timeOf), count: 0, place: -1 };
      lineOf.set(project, line);
      lines.add(line);
    }
    line.count++;
    return line;
  };
  const leaveLine = (line: Line) => {
    line.count--;
    if (line.count > 0) return;
    lines.remove(line);
    lineOf.delete(line.project);
  };
  const isClaimed = (entry: Entry) => entry.place < 0;
  const free = (entry: Entry) => {
    entry.line.free.add(entry);
    lines.moved(entry.line);
  };
  const take = (entry: Entry) => {
    entry.line.free.remove(entry);
    lines.moved(entry.line);
  };
  const drop = (entry: Entry) => {
    if (!isClaimed(entry)) take(entry);
    entries.delete(entry.monitor);
    leaveLine(entry.line);
  };

  /** Calls `visit` with the first line of each project that is not in `except`. */
  const withoutLines = <T>(except: readonly string[], visit: () => T): T => {
    const aside = except.flatMap((project) => lineOf.get(project) ?? []);
    for (const line of aside) lines.remove(line);
    try {
      return visit();
    } finally {
      for (const line of aside) lines.add(line);
    }
  };
  const firstLine = () => lines.first();
  const from = <T>(of: ProjectFilter | undefined, visit: (next: () => Line | undefined) => T): T => {
    if (of === undefined) return visit(firstLine);
    if ('project' in of) return visit(() => lineOf.get(of.project));
    return withoutLines(of.except, () => visit(firstLine));
  };

  return {
    set({ monitor, project, generation, nextAt }) {
      const known = entries.get(monitor);
      if (known) drop(known);
      const entry: Entry = { monitor, project, generation, nextAt, line: joinLine(project), place: -1 };
      entries.set(monitor, entry);
      free(entry);
    },
    remove(monitor) {
      const entry = entries.get(monitor);
      if (entry) drop(entry);
    },
    find(monitor) {
      const entry = entries.get(monitor);
      if (!entry) return undefined;
      const { project, generation, nextAt } = entry;
      return { monitor, project, generation, nextAt, claimed: isClaimed(entry) };
    },
    claimDue({ now, limit, of }) {
      return from(of, (next) => {
        const claimed: Entry[] = [];
        while (claimed.length < limit) {
          const first = next()?.free.first();
          if (first === undefined || first.nextAt > now) break;
          take(first);
          claimed.push(first);
        }
        return claimed.map(({ monitor, project, generation, nextAt }) => ({ monitor, project, generation, nextAt }));
      });
    },
    claim(monitor) {
      const entry = entries.get(monitor);
      if (!entry || isClaimed(entry)) return false;
      take(entry);
      return true;
    },
    release(monitor, nextAt) {
      const entry = entries.get(monitor);
      if (!entry || !isClaimed(entry)) return;
      entry.nextAt = nextAt ?? entry.nextAt;
      free(entry);
    },
    delay(monitor, nextAt) {
      const entry = entries.get(monitor);
      if (!entry || entry.nextAt >= nextAt) return;
      const wasClaimed = isClaimed(entry);
      if (!wasClaimed) take(entry);
      entry.nextAt = nextAt;
      if (!wasClaimed) free(entry);
    },
    firstAt: (of) => from(of, (next) => next()?.free.first()?.nextAt ?? null),
    countDue: (project, now) => lineOf.get(project)?.free.countUntil(now) ?? 0,
    size: () => entries.size,
  };
}
