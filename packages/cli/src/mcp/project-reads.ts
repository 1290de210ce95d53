import type { RangeQuery, RequestOptions, Uptime } from '@uptime/sdk';
import { type allEndpoints, monitorPastEndpoints } from '@uptime/sdk/contract';

type Endpoints = typeof allEndpoints;

/** The endpoints that only read a project. A ping with GET is not one of them, because it writes. */
type ProjectReads = {
  [
    Id in keyof Endpoints as Endpoints[Id] extends { method: 'GET'; access: 'project' } ? Id : never
  ]: Endpoints[Id]['path'];
};
type IdsOf<Path extends string> = {
  [Id in keyof ProjectReads]: ProjectReads[Id] extends Path ? Id : never;
}[keyof ProjectReads];

type PastId = IdsOf<`/monitors/:monitorId/${string}`>;
type ListId = Exclude<keyof ProjectReads, IdsOf<`${string}/:${string}`>>;

type Rows = AsyncIterable<object> | Promise<object | readonly object[]>;

interface List {
  /** The name of the resource in calls of the tool `list`. */
  of: string;
  /** Whether the server returns the oldest rows first. Then the last rows are the most important. */
  oldestFirst?: true;
  /** Whether `from` and `to` limit the rows. */
  hasRange?: true;
  rows: (client: Uptime, range: RangeQuery, options: RequestOptions) => Rows;
}

const page = { limit: 1000 };

/**
 * The lists of the whole project. If the contract gets another endpoint of this kind, the compiler requires an entry
 * here.
 */
const lists: Record<ListId, List> = {
  listMonitors: { of: 'monitors', rows: ({ monitors }, _range, options) => monitors.iterate(page, options) },
  listChannels: { of: 'channels', rows: ({ channels }, _range, options) => channels.iterate(page, options) },
  listAlertRules: { of: 'rules', rows: ({ alertRules }, _range, options) => alertRules.iterate(page, options) },
  listAlertHistory: {
    of: 'alerts',
    oldestFirst: true,
    hasRange: true,
    rows: ({ alertHistory }, range, options) => alertHistory.iterate({ ...range, ...page }, options),
  },
  listDeliveries: {
    of: 'deliveries',
    oldestFirst: true,
    rows: ({ alertHistory }, _range, options) => alertHistory.iterateDeliveries(page, options),
  },
  listIncidents: { of: 'incidents', rows: ({ incidents }, _range, options) => incidents.iterate(page, options) },
  listStatusPages: { of: 'pages', rows: ({ statusPages }, _range, options) => statusPages.iterate(page, options) },
  listRegions: { of: 'regions', rows: ({ regions }, _range, options) => regions.list(options) },
  getUsage: { of: 'usage', rows: (client, _range, options) => client.usage(options) },
};

interface Past {
  of: string;
  hasRange: boolean;
  rows: (client: Uptime, id: string, range: RangeQuery, options: RequestOptions) => Rows;
}

/** The histories of one monitor. Each begins with the oldest row. */
const pasts: Record<PastId, Past> = {
  getMonitorEvents: {
    of: 'changes',
    hasRange: true,
    rows: ({ monitors }, id, range, options) => monitors.iterateEvents(id, { ...range, ...page }, options),
  },
  getDailyUptime: {
    of: 'days',
    hasRange: true,
    rows: ({ monitors }, id, range, options) => monitors.dailyUptime(id, range, options),
  },
  getResponseTimes: {
    of: 'checks',
    hasRange: true,
    rows: ({ monitors }, id, range, options) => monitors.iterateResponseTimes(id, { ...range, ...page }, options),
  },
  getHeartbeatMetrics: {
    of: 'pings',
    hasRange: true,
    rows: ({ monitors }, id, range, options) => monitors.iterateHeartbeatMetrics(id, { ...range, ...page }, options),
  },
  getStats: {
    of: 'stats',
    hasRange: false,
    rows: ({ monitors }, id, _range, options) => monitors.stats(id, options),
  },
};

export const projectLists: readonly List[] = Object.values(lists);
export const monitorPasts: readonly Past[] = Object.values(pasts);

/** Describes each kind of history with the summary of its endpoint in the contract. */
export const pastSummaries: string = Object.entries(pasts)
  .map(([id, { of }]) => `\`${of}\`: ${monitorPastEndpoints[id as PastId].summary}`)
  .join(' ');
