import type { Monitor } from '@uptime/sdk';
import { isPassive } from '@uptime/sdk/contract';

/**
 * The goal of a wait: a status, and how many new results must confirm it. Only results after the start of the wait are
 * new.
 */
export interface Goal {
  until: 'up' | 'down';
  confirm: number;
}

/** One monitor of a wait, as last read from the server. */
export interface Waiting {
  id: string;
  key: string | null;
  name: string;
  status: Monitor['status'] | 'gone';
  /** Seconds between the checks of the monitor. */
  interval: number;
  lastCheckedAt: string | null;
  /**
   * The number of new results in a row that had the wanted status. A heartbeat has no checks, so its status needs no
   * confirmation.
   */
  confirmed: number;
  reached: boolean;
}

/** The fields of a monitor that a wait reads. */
export type Seen = Pick<Monitor, 'id' | 'key' | 'name' | 'type' | 'status' | 'interval' | 'lastCheckedAt'>;

/** Returns the state of the monitors at the start of a wait. Only results after the start confirm the goal. */
export const beginWaiting = (monitors: readonly Seen[], goal: Goal): Waiting[] =>
  monitors.map((monitor) => judge(monitor, 0, goal));

/**
 * Returns the state after another read of the monitors. A monitor that the server no longer has gets the status `gone`.
 */
export function lookAgain(waiting: readonly Waiting[], monitors: readonly Seen[], goal: Goal): Waiting[] {
  const byId = new Map(monitors.map((monitor) => [monitor.id, monitor]));
  return waiting.map((before) => {
    const now = byId.get(before.id);
    if (!now) return { ...before, status: 'gone', confirmed: 0, reached: false };
    const isNewer = now.lastCheckedAt !== before.lastCheckedAt;
    const fits = now.status === goal.until;
    return judge(now, fits ? before.confirmed + (isNewer ? 1 : 0) : 0, goal);
  });
}

function judge({ id, key, name, type, status, interval, lastCheckedAt }: Seen, confirmed: number, goal: Goal): Waiting {
  const isConfirmed = isPassive({ type }) || confirmed >= goal.confirm;
  const reached = status === goal.until && isConfirmed;
  return { id, key, name, status, interval, lastCheckedAt, confirmed, reached };
}

/** How a wait ended; `waiting` if it continues. */
export type Outcome = 'waiting' | 'reached' | 'gone' | 'paused';

export function outcomeOf(waiting: readonly Waiting[]): Outcome {
  if (waiting.some(({ status }) => status === 'gone')) return 'gone';
  if (waiting.some(({ status }) => status === 'paused')) return 'paused';
  return waiting.every(({ reached }) => reached) ? 'reached' : 'waiting';
}

const pageSize = 1000;

/**
 * Returns how many milliseconds to wait before the next read. The wait is a third of the shortest interval among the
 * monitors that have not reached the goal, but at least 1 s and at most 5 s. If a read needs several requests, the wait
 * is multiplied by the number of requests.
 */
export function nextLookMs(waiting: readonly Waiting[]): number {
  const shortest = Math.min(...waiting.filter(({ reached }) => !reached).map(({ interval }) => interval));
  const requests = Math.ceil(waiting.length / pageSize) || 1;
  return Math.min(5000, Math.max(1000, (shortest * 1000) / 3)) * requests;
}
