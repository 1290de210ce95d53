import type { IncidentStatus } from '@uptime/sdk/contract';

/** What a page may show of a monitor: what its project chose, and no address, id or error text. Times are epoch milliseconds. */
export interface MonitorView {
  name: string;
  state: 'up' | 'down' | 'maintenance' | 'paused' | 'unknown';
  /** Percentage over all the days shown; null where nothing was observed. */
  uptime: number | null;
  /** The 89 days before today, oldest first. While nothing in them changes it is the same list. */
  past: readonly DayView[];
  today: DayView;
  /** Average response time in milliseconds of each of the last 24 hours, null where none was taken; null for heartbeats. */
  responseTimes: (number | null)[] | null;
}

/** A day in milliseconds observed. */
export interface DayView {
  /** The day's number since the epoch, UTC. */
  day: number;
  up: number;
  down: number;
  maintenance: number;
}

export interface IncidentView {
  /** Tells one incident from the next, in the feed; not its id. */
  number: number;
  title: string;
  status: IncidentStatus;
  maintenance: boolean;
  createdAt: number;
  startedAt: number;
  scheduledEnd: number | null;
  resolvedAt: number | null;
  /** Names of the monitors concerned, as far as the page shows them. */
  monitors: string[];
  /** Oldest first. */
  updates: { status: IncidentStatus; message: string; at: number }[];
}

export interface PageView {
  name: string;
  madeAt: number;
  /** When the page's own settings were last changed. */
  updatedAt: number;
  /** The page's state in a word and in a sentence. */
  overall: { state: 'up' | 'down' | 'incident' | 'maintenance' | 'unknown'; sentence: string };
  monitors: MonitorView[];
  /** Unresolved, newest first. */
  open: IncidentView[];
  /** Maintenance in force. */
  current: IncidentView[];
  /** Maintenance ahead, the next one first. */
  planned: IncidentView[];
  /** Resolved in the last two weeks, newest first. */
  past: IncidentView[];
}

/** Where the page's other forms are. */
export interface PageLinks {
  self: string;
  json: string;
  feed: string;
  badge: string;
}
