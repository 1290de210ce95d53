import type { IncidentStatus } from '@uptime/sdk/contract';

/** A monitor as a page shows it. Anyone may read a page, so this never contains an address, an id or an error text. */
export interface MonitorView {
  name: string;
  state: 'up' | 'down' | 'maintenance' | 'paused' | 'unknown';
  /** When the monitor went down; null while it is not down. */
  downSince: number | null;
  /** The value of the label by which the page groups its monitors; null for a monitor without that label. */
  group: string | null;
  /** Percentage over all days shown; null if nothing was observed. */
  uptime: number | null;
  /** The 89 days before today, oldest first. While these days do not change, the list stays the same object. */
  past: readonly DayView[];
  today: DayView;
  /**
   * Average response time, in milliseconds, of each of the last 24 hours. Null stands for an hour without response
   * times. Heartbeats have no list.
   */
  responseTimes: (number | null)[] | null;
  /** Response times of each region, sorted by name. Empty unless several regions checked the monitor in these hours. */
  regionTimes: RegionTimes[];
}

export interface RegionTimes {
  region: string;
  hours: (number | null)[];
}

/** A day's milliseconds, split by what was observed: up, down or maintenance. */
export interface DayView {
  /** The day's number since the epoch, UTC. */
  day: number;
  up: number;
  down: number;
  maintenance: number;
}

export interface IncidentView {
  /** The last part of the incident's public address. The incident's id cannot be derived from it. */
  publicId: string;
  title: string;
  status: IncidentStatus;
  maintenance: boolean;
  createdAt: number;
  startedAt: number;
  scheduledEnd: number | null;
  resolvedAt: number | null;
  /** The names of the first affected monitors that the page shows. */
  monitors: string[];
  /** How many more of the page's monitors are affected. */
  moreMonitors: number;
  /** The latest updates, oldest first. */
  updates: { status: IncidentStatus; message: string; at: number }[];
  /** Whether all updates are included, each with its whole message. */
  whole: boolean;
}

/** The settings that the header of a page shows. */
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
  /** Whether the page groups its monitors by a label. */
  grouped: boolean;
  /** In the project's order. */
  monitors: MonitorView[];
  /** Incidents that are not resolved, newest first. */
  open: IncidentView[];
  /** Maintenance in progress. */
  current: IncidentView[];
  /** Planned maintenance, the next window first. */
  planned: IncidentView[];
  /** Incidents and maintenance that were resolved in the last two weeks, newest first. */
  past: IncidentView[];
  /** For each list, whether there are more incidents than the page shows. */
  more: Record<IncidentList, boolean>;
}

export type IncidentList = 'open' | 'current' | 'planned' | 'past';

/** The part of a month's incidents that one page shows. `older` and `newer` lead to the other incidents. */
export interface HistoryView extends Masthead {
  madeAt: number;
  /** Such as `2026-11`. */
  month: string;
  /** Newest first. */
  incidents: IncidentView[];
  /** The place of the next older incidents, in this month or an earlier one. Null if no incidents are older. */
  older: HistoryPlace | null;
  /** The month of the next newer incidents; null if there are none. */
  newer: string | null;
}

export interface HistoryPlace {
  month: string;
  /** The list shows older incidents than the one with this public id. Null for the newest incidents of the month. */
  after: string | null;
}

/** One incident, with a part of its timeline. */
export interface IncidentPageView extends Masthead {
  madeAt: number;
  incident: IncidentView;
  /** The number of the shown part of the timeline. Part 1 has the latest updates. */
  part: number;
  lastPart: boolean;
}

/** Addresses of the page, its other formats and its parts. */
export interface PageLinks {
  self: string;
  json: string;
  feed: string;
  badge: string;
  /** Prefix of the addresses of the page's parts, without a trailing slash. */
  base: string;
}
