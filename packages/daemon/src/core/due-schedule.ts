import { createHeap, type Heap, type HeapItem } from './heap.ts';

/** The projects whose monitors may be claimed: one project, or all projects except the given ones. */
export type ProjectFilter = { project: string } | { except: readonly string[] };

/** A monitor of the schedule. */
export interface ScheduledMonitor {
  monitor: number;
  project: string;
  /** The version of the monitor's fields. */
  generation: number;
  /** When the next check of the monitor is due, in milliseconds. */
  nextAt: number;
}

/**
 * One region's schedule in memory: when each monitor is due, and which monitors are claimed. A claimed monitor is left
 * out of further claims until its claim ends.
 */
export interface DueSchedule {
  /** Adds or replaces a monitor. The monitor is not claimed afterwards. */
  set(monitor: ScheduledMonitor): void;
  remove(monitor: number): void;
  /** Returns when a monitor is due, and whether it is claimed. */
  find(monitor: number): Readonly<ScheduledMonitor & { claimed: boolean }> | undefined;
  /** Claims up to `limit` due monitors. The monitor that has been due longest comes first. */
  claimDue(claim: { now: number; limit: number; of?: ProjectFilter | undefined }): ScheduledMonitor[];
  /** Claims a monitor, whether it is due or not. Returns false if the monitor is unknown or already claimed. */
  claim(monitor: number): boolean;
  /** Ends the claim of a monitor. `nextAt` is when its next check is due; null does not change that time. */
  release(monitor: number, nextAt: number | null): void;
  /**
   * Moves the next check of a monitor to a later time. An earlier time has no effect. A claimed monitor stays claimed.
   */
  delay(monitor: number, nextAt: number): void;
  /** The earliest due time of the unclaimed monitors of these projects; null if there are none. */
  firstAt(of?: ProjectFilter): number | null;
  /** How many monitors of a project are due and unclaimed. */
  countDue(project: string, now: number): number;
  size(): number;
}

interface Entry extends HeapItem, ScheduledMonitor {
  queue: ProjectQueue;
}

/** The unclaimed monitors of one project, in order of their due times. */
interface ProjectQueue extends HeapItem {
  project: string;
  free: Heap<Entry>;
  /** The number of monitors of the project, including claimed ones. */
  count: number;
}

const timeOf = (entry: Entry) => entry.nextAt;
const timeOfQueue = ({ free }: ProjectQueue) => free.first()?.nextAt ?? Infinity;

/**
 * Creates an empty schedule. The time to claim a monitor grows only with the logarithm of the number of monitors,
 * whatever the backlog of other projects is.
 */
export function createDueSchedule(): DueSchedule {
  const entries = new Map<number, Entry>();
  const queueOf = new Map<string, ProjectQueue>();
  const queues = createHeap<ProjectQueue>(timeOfQueue);

  const joinQueue = (project: string): ProjectQueue => {
    let queue = queueOf.get(project);
    if (!queue) {
      queue = { project, free: createHeap(timeOf), count: 0, index: -1 };
      queueOf.set(project, queue);
      queues.add(queue);
    }
    queue.count++;
    return queue;
  };
  const leaveQueue = (queue: ProjectQueue) => {
    queue.count--;
    if (queue.count > 0) return;
    queues.remove(queue);
    queueOf.delete(queue.project);
  };
  const isClaimed = (entry: Entry) => entry.index < 0;
  const free = (entry: Entry) => {
    entry.queue.free.add(entry);
    queues.moved(entry.queue);
  };
  const take = (entry: Entry) => {
    entry.queue.free.remove(entry);
    queues.moved(entry.queue);
  };
  const drop = (entry: Entry) => {
    if (!isClaimed(entry)) take(entry);
    entries.delete(entry.monitor);
    leaveQueue(entry.queue);
  };

  /** Runs `visit` without the queues of the given projects. Returns the result of `visit`. */
  const withoutQueues = <T>(except: readonly string[], visit: () => T): T => {
    const leftOut = except.flatMap((project) => queueOf.get(project) ?? []);
    for (const queue of leftOut) queues.remove(queue);
    try {
      return visit();
    } finally {
      for (const queue of leftOut) queues.add(queue);
    }
  };
  const firstQueue = () => queues.first();
  const withQueuesOf = <T>(of: ProjectFilter | undefined, visit: (next: () => ProjectQueue | undefined) => T): T => {
    if (of === undefined) return visit(firstQueue);
    if ('project' in of) return visit(() => queueOf.get(of.project));
    return withoutQueues(of.except, () => visit(firstQueue));
  };

  return {
    set({ monitor, project, generation, nextAt }) {
      const known = entries.get(monitor);
      if (known) drop(known);
      const entry: Entry = { monitor, project, generation, nextAt, queue: joinQueue(project), index: -1 };
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
      return withQueuesOf(of, (next) => {
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
    firstAt: (of) => withQueuesOf(of, (next) => next()?.free.first()?.nextAt ?? null),
    countDue: (project, now) => queueOf.get(project)?.free.countUntil(now) ?? 0,
    size: () => entries.size,
  };
}
