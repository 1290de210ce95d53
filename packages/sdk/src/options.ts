/** The outcome of one attempt at a request, for logs. It holds no credential: `path` contains no ping token. */
export interface RequestEvent {
  method: string;
  path: string;
  /** The number of the attempt; the first attempt has the number 1. */
  attempt: number;
  /** HTTP status, or null if no answer came. */
  status: number | null;
  /** Milliseconds until the whole answer was read. */
  duration: number;
  /** Identifies this request in the server's log. */
  requestId: string | null;
}

/**
 * The options of a client: its server, its credential, and how it sends requests.
 *
 * @example
 * const options: UptimeOptions = { siteUrl: 'https://uptime.example.com', apiKey: process.env.UPTIME_API_KEY };
 */
export interface UptimeOptions {
  /** A project's API key. Default: the environment variable `UPTIME_API_KEY`, unless a session is given. */
  apiKey?: string | null;
  /** A session's cookie, as `auth.signIn` returns it. Without key and session, a browser sends its own cookies. */
  session?: string | null;
  /** Project that a session works on. An API key belongs to one project, and needs no `projectId`. */
  projectId?: string | null;
  /** Root address of the server. Default: the environment variable `UPTIME_SITE_URL`, then `http://127.0.0.1:3000`. */
  siteUrl?: string;
  /** Address of the API. Default: `{siteUrl}/api`. */
  baseUrl?: string;
  /** Milliseconds that one attempt may take; 0 for no limit. Default: 30000. */
  timeout?: number;
  /** Further attempts after a failed attempt. Default: 2. */
  retries?: number;
  /** The function that sends requests. Default: the global `fetch`. */
  fetch?: typeof globalThis.fetch;
  /** Called after each attempt. */
  onRequest?: (event: RequestEvent) => void;
}

/**
 * Options of a single call.
 *
 * @example
 * await uptime.monitors.list({}, { timeout: 5_000, signal: AbortSignal.timeout(20_000) });
 */
export interface RequestOptions {
  /** Aborts the call and its retries. The call then throws an `AbortedError`. */
  signal?: AbortSignal;
  /** Milliseconds that one attempt may take; 0 for no limit. */
  timeout?: number;
  /** Further attempts after a failed attempt. */
  retries?: number;
  /**
   * For 24 h, a second request with the same key and body gets the answer of the first request. Calls that create
   * something generate a key by default.
   */
  idempotencyKey?: string;
  /** Further request headers. */
  headers?: Record<string, string>;
}
