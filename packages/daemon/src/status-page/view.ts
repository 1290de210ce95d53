import type { IncidentStatus } from '@uptime/sdk/contract';

/** What a page may show of a monitor: what its project chose, and no address, id or error text. Times are epoch milliseconds. */
export interface MonitorView {
  name: string;
  state: 'up' | 'down' | 'maintenance' | 'paused' | 'unknown';
  /** When it went down; null while it is not down. */
  downSince: number | null;
  /** The value of the label that the page groups by; null without one. */
  group: string | null;
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
  /** What its public address ends with; nobody can find its id from it. */
  publicId: string;
  title: string;
  status: IncidentStatus;
  maintenance: boolean;
  createdAt: number;
  startedAt: number;
  scheduledEnd: number | null;
  resolvedAt: number | null;
  /** Names of the monitors concerned, as far as the page shows them: the first few. */
  monitors: string[];
  /** How many more of the page's monitors it concerns. */
  moreMonitors: number;
  /** The latest ones, oldest first. */
  updates: { status: IncidentStatus; message: string; at: number }[];
  /** Whether all updates are there, each with its whole message. */
  whole: boolean;
}

/** How a page presents itself. */
export interface Masthead {
  name: string;
  description: string | null;
  homeUrl: string | null;
  iconUrl: string | null;
  /** `#rrggbb`. */
  accentColor: string | null;
}

export interface PageView extends Masthead {
  madeAt: number;
  /** When the page's own settings were last changed. */
  updatedAt: number;
  /** The page's state in a word and in a sentence. */
  overall: { state: 'up' | 'down' | 'incident' | 'maintenance' | 'unknown'; sentence: string };
  /** Whether its monitors stand in groups. */
  grouped: boolean;
  /** In the order that the project chose. */
  monitors: MonitorView[];
  /** Unresolved, newest first. */
  open: IncidentView[];
  /** Maintenance in force. */
  current: IncidentView[];
  /** Maintenance ahead, the next one first. */
  planned: IncidentView[];
  /** Resolved in the last two weeks, newest first. */
  past: IncidentView[];
  /** Of which of these there are more than the page shows. */
  more: Record<IncidentList, boolean>;
}

export type IncidentList = 'open' | 'current' | 'planned' | 'past';

/** The incidents of a month, a page of them at a time. */
export interface HistoryView extends Masthead {
  madeAt: number;
  /** `2026-11`. */
  month: string;
  /** Newest first. */
  incidents: IncidentView[];
  /** Where the next older ones are, in this month or an earlier one; null where there are none. */
  older: HistoryPlace | null;
  /** The month in which the next newer ones begin; null where there are none. */
  newer: string | null;
}

export interface HistoryPlace {
  month: string;
  /** The public id of the last incident already shown of this month; null for the beginning of the month. */
  after: string | null;
}

/** One incident, with a part of its timeline. */
export interface IncidentPageView extends Masthead {
  madeAt: number;
  incident: IncidentView;
  /** Counts parts of the timeline from 1, the latest updates first. */
  part: number;
  lastPart: boolean;
}

/** Where the page and its other forms are, and where the addresses of its parts begin. */
export interface PageLinks {
  self: string;
  json: string;
  feed: string;
  badge: string;
  /** Without a slash at its end. */
  base: string;
}
