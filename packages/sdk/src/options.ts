/** What one attempt at a request came to; for logs. Never holds a credential: ping tokens are left out of `path`. */
export interface RequestEvent {
  method: string;
  path: string;
  /** 1 for the first attempt. */
  attempt: number;
  /** HTTP status, or null where no answer came. */
  status: number | null;
  /** Milliseconds until the whole answer was read. */
  duration: number;
  /** Names this request in the server's logs. */
  requestId: string | null;
}

/**
 * How a client reaches its server, and with what credential.
 *
 * @example
 * const options: UptimeOptions = { siteUrl: 'https://uptime.example.com', apiKey: process.env.UPTIME_API_KEY };
 */
export interface UptimeOptions {
  /** A project's API key. Default: `UPTIME_API_KEY` of the environment, unless a session is given. */
  apiKey?: string | null;
  /** A session's cookie as `auth.signIn` answers it. Without key and session, a browser sends its own cookies. */
  session?: string | null;
  /** Project that a session works on; an API key names its own. */
  projectId?: string | null;
  /** Root address of the server. Default: `UPTIME_SITE_URL` of the environment, then `http://127.0.0.1:3000`. */
  siteUrl?: string;
  /** Address of the API. Default: `{siteUrl}/api`. */
  baseUrl?: string;
  /** Milliseconds that one attempt may take; 0 for no limit. Default: 30000. */
  timeout?: number;
  /** Further attempts after a failed one. Default: 2. */
  retries?: number;
  /** Used in place of the global `fetch`. */
  fetch?: typeof globalThis.fetch;
  /** Called after each attempt. */
  onRequest?: (event: RequestEvent) => void;
}

/**
 * What one call may set for itself.
 *
 * @example
 * await uptime.monitors.list({}, { timeout: 5_000, signal: AbortSignal.timeout(20_000) });
 */
export interface RequestOptions {
  /** Ends the call, its waiting and its retries, with an `AbortedError`. */
  signal?: AbortSignal;
  /** Milliseconds that one attempt may take; 0 for no limit. */
  timeout?: number;
  /** Further attempts after a failed one. */
  retries?: number;
  /** The same key and body within 24 h get the first answer again. Creates make one of their own. */
  idempotencyKey?: string;
  /** Further request headers. */
  headers?: Record<string, string>;
}
