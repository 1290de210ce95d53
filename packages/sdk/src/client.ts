import { UptimeError } from './errors.ts';
import type { RequestOptions, UptimeOptions } from './options.ts';
import { createApi, type Settings } from './request.ts';
import { alertHistory } from './resources/alert-history.ts';
import { alertRules } from './resources/alert-rules.ts';
import { auth } from './resources/auth.ts';
import { billing } from './resources/billing.ts';
import { channels } from './resources/channels.ts';
import { heartbeats } from './resources/heartbeats.ts';
import { incidents } from './resources/incidents.ts';
import { monitors } from './resources/monitors.ts';
import { probes } from './resources/probes.ts';
import { projects } from './resources/projects.ts';
import { regions } from './resources/regions.ts';
import { statusPages } from './resources/status-pages.ts';
import type { Health, Unhealthy, Usage } from './types.ts';

/**
 * A client of one server, with one credential. It holds no connection: there is nothing to close.
 * Throws {@link UptimeError} for an invalid address, and for a credential that a header cannot carry.
 *
 * @example
 * import { Uptime } from '@uptime/sdk';
 *
 * const uptime = new Uptime({ siteUrl: 'http://127.0.0.1:3000', apiKey: process.env.UPTIME_API_KEY });
 * const monitor = await uptime.monitors.create({ type: 'http', name: 'Shop', url: 'https://shop.example.com' });
 * console.log(monitor.status); // "pending"
 */
export class Uptime {
  /** Accounts and sessions. */
  declare readonly auth: ReturnType<typeof auth>;
  /** Projects and their API keys. */
  declare readonly projects: ReturnType<typeof projects>;
  /** Monitors and their history. */
  declare readonly monitors: ReturnType<typeof monitors>;
  /** Pings of heartbeat monitors. */
  declare readonly heartbeats: ReturnType<typeof heartbeats>;
  /** Incidents and maintenance windows. */
  declare readonly incidents: ReturnType<typeof incidents>;
  /** Public status pages. */
  declare readonly statusPages: ReturnType<typeof statusPages>;
  /** Channels that receive alerts. */
  declare readonly channels: ReturnType<typeof channels>;
  /** Rules that say which monitors alert which channels. */
  declare readonly alertRules: ReturnType<typeof alertRules>;
  /** Past and open alerts. */
  declare readonly alertHistory: ReturnType<typeof alertHistory>;
  /** Regions that checks run from. */
  declare readonly regions: ReturnType<typeof regions>;
  /** Tokens of probes. Every call needs an admin's session. */
  declare readonly probes: ReturnType<typeof probes>;
  /** Plans, the subscription and payment. */
  declare readonly billing: ReturnType<typeof billing>;
  /**
   * Reports whether the server can write and runs checks on time. Needs no credential. The answer has `reason`, `roles`
   * and `warnings` only if the request has an admin's credential.
   *
   * @example
   * const { status, version } = await uptime.health();
   */
  declare readonly health: (options?: RequestOptions) => Promise<Health>;
  /**
   * Returns how much the project uses of each limit of its plan.
   *
   * @example
   * const full = (await uptime.usage()).limits.filter(({ used, limit }) => limit !== null && used >= limit);
   */
  declare readonly usage: (options?: RequestOptions) => Promise<Usage>;

  constructor(options: UptimeOptions = {}) {
    const settings = settingsOf(options);
    const api = createApi(settings);
    const { headers, credentials } = settings;
    const hasCredential = headers['x-api-key'] ?? headers.cookie ?? credentials;
    this.auth = auth(api);
    this.projects = projects(api);
    this.monitors = monitors(api);
    this.heartbeats = heartbeats(api);
    this.incidents = incidents(api);
    this.statusPages = statusPages(api);
    this.channels = channels(api);
    this.alertRules = alertRules(api);
    this.alertHistory = alertHistory(api);
    this.regions = regions(api);
    this.probes = probes(api);
    this.billing = billing(api);
    this.usage = (options) => api.send({ path: '/usage' }, options);
    this.health = async (options) =>
      healthOf(
        await api.send<Health | Unhealthy>(
          { path: '/healthz', site: true, anonymous: !hasCredential, accept },
          options,
        ),
      );
  }
}

/** Accepts a 503 with a version: it comes from an unhealthy server. A 503 without a version comes from a proxy. */
const accept = (status: number, data: unknown) => status === 503 && (data as Unhealthy | undefined)?.version;

/**
 * Converts each answer to a {@link Health}. A healthy server sends one. An unhealthy server sends a problem document,
 * whose `status` is the HTTP status.
 */
function healthOf(data: Health | Unhealthy): Health {
  const { version, reason, roles, warnings } = data;
  return data.status === 503 ? { status: 'unavailable', version, reason, roles, warnings } : (data as Health);
}

function settingsOf(options: UptimeOptions): Settings {
  const { session, projectId, baseUrl } = options;
  const siteUrl = address(
    'siteUrl',
    options.siteUrl ?? (baseUrl && siteOf(baseUrl)) ?? (environment('UPTIME_SITE_URL') || 'http://127.0.0.1:3000'),
  );
  const apiKey = options.apiKey === undefined && !session ? environment('UPTIME_API_KEY') : options.apiKey;
  return {
    siteUrl,
    baseUrl: baseUrl ? address('baseUrl', baseUrl) : `${siteUrl}/api`,
    headers: {
      ...(apiKey && { 'x-api-key': sendable('apiKey', apiKey) }),
      // The server refuses a cookie without an Origin header. A browser sets this header; other runtimes do not.
      ...(session && { cookie: sendable('session', session), origin: new URL(siteUrl).origin }),
      ...(projectId && { 'x-project-id': sendable('projectId', projectId) }),
    },
    // Only a browser has stored cookies to send. Some other runtimes refuse the setting `credentials`.
    credentials: !apiKey && !session && 'location' in globalThis ? 'include' : undefined,
    timeout: options.timeout ?? 30_000,
    retries: options.retries ?? 2,
    fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    onRequest: options.onRequest,
  };
}

/** Returns an address without its trailing slashes. */
function address(option: string, value: string): string {
  const url = URL.parse(value);
  if (!url?.protocol.match(/^https?:$/) || url.username || url.password || url.search || url.hash) {
    throw new UptimeError(`${option} must be an http:// or https:// address, without user, query or fragment.`);
  }
  return url.href.replace(/\/+$/, '');
}

/** Returns the site of an API address: the part before a final `/api`, or else the origin. */
function siteOf(baseUrl: string): string {
  const url = address('baseUrl', baseUrl);
  return url.endsWith('/api') ? url.slice(0, -4) : new URL(url).origin;
}

/**
 * Returns the trimmed credential. Throws if a header cannot carry it: otherwise `fetch` would throw an error that shows
 * the credential.
 */
function sendable(option: string, value: string): string {
  if (!/^[\x20-\x7e]+$/.test(value)) throw new UptimeError(`${option} has characters that a header cannot carry.`);
  return value.trim();
}

/** Returns an environment variable. Returns undefined on a runtime without environment variables. */
const environment = (name: string): string | undefined =>
  (globalThis as { process?: { env?: Record<string, string | undefined> } }).process?.env?.[name];
