import { createFetch } from 'ofetch';
import { ApiError, ConnectionError, NotFoundError, TimeoutError, type UptimeError } from './errors.ts';
import type { RequestEvent, RequestOptions } from './options.ts';
import { nextPage } from './paging.ts';
import { errorOf, jsonOf, type Received, unexpected } from './problem.ts';
import { aborted, delayAfter, pause } from './retry.ts';

/** Where and how a client calls: its options with every default in place. */
export interface Settings {
  siteUrl: string;
  baseUrl: string;
  /** Credentials among them. */
  headers: Record<string, string>;
  credentials: RequestCredentials | undefined;
  timeout: number;
  retries: number;
  fetch: typeof globalThis.fetch;
  onRequest: ((event: RequestEvent) => void) | undefined;
}

/** One call of the interface. */
export interface Call {
  method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Relative to the API; with `site`, to the server's root. */
  path: string;
  site?: boolean;
  /** A whole address, in place of `path`. */
  url?: string;
  /** What stands for the path in logs and messages, where that is secret. */
  shown?: string;
  query?: object;
  body?: unknown;
  /** Leaves the credentials out, and follows redirects. */
  anonymous?: boolean;
  /** A POST that makes something: gets an idempotency key, and so may be repeated. */
  creates?: boolean;
  /** Whether it may be repeated as it is; what is no POST may, unless it says otherwise. */
  repeatable?: boolean;
  /** The answer's body does not matter. */
  bodyless?: boolean;
  /** The answer is text, such as a page. */
  text?: boolean;
  /** The answer is an array. */
  list?: boolean;
  /** Says of an answer that is no success whether it is one of this call's answers all the same. */
  accept?: (status: number, data: unknown) => boolean;
  /** Milliseconds, for a call that takes longer than others. */
  timeout?: number;
}

/** An answer with its body parsed. */
export interface Answer<T> {
  data: T;
  headers: Headers;
}

/** What resources call. */
export interface Api {
  /** The body of the answer. */
  send: <T>(call: Call, options?: RequestOptions) => Promise<T>;
  /** Body and headers of the answer. */
  answer: <T>(call: Call, options?: RequestOptions) => Promise<Answer<T>>;
  /** The entries of a list, page after page, as `Link: rel="next"` names them. */
  pages: <T>(call: Call, options?: RequestOptions) => AsyncGenerator<T, void, undefined>;
}

/** The one place that talks HTTP: credentials, deadlines, retries, errors. */
export function createApi(settings: Settings): Api {
  const http = createFetch({ fetch: settings.fetch });

  async function answer<T>(call: Call, options: RequestOptions = {}): Promise<Answer<T>> {
    const { method = 'GET' } = call;
    const { signal, retries = settings.retries } = options;
    const headers = headersOf(call, options);
    const repeatable = call.repeatable ?? (method !== 'POST' || headers.has('idempotency-key'));
    let lost = false;
    for (let attempt = 0; ; attempt++) {
      try {
        const received = await attemptOnce(call, options, headers, attempt);
        // The server is taken at its word that its answer has the shape of the interface.
        return { data: dataOf(received, call, shown(call)) as T, headers: received.headers };
      } catch (error) {
        // The attempt whose answer was lost has deleted it.
        if (lost && method === 'DELETE' && error instanceof NotFoundError) return gone<T>();
        const delay = repeatable && attempt < retries ? delayAfter(error, attempt) : null;
        if (delay === null) throw error;
        lost ||= !(error instanceof ApiError) || error.status >= 500;
        await pause(delay, signal);
      }
    }
  }

  /** One request and its whole answer; throws what is none, or an error. */
  async function attemptOnce(call: Call, options: RequestOptions, headers: Headers, attempt: number) {
    const { signal, timeout = call.timeout ?? settings.timeout } = options;
    if (signal?.aborted) throw aborted(signal);
    const { method = 'GET', body } = call;
    const began = performance.now();
    const controller = new AbortController();
    const stop = () => controller.abort(signal?.reason);
    signal?.addEventListener('abort', stop, { once: true });
    let late = false;
    const limited = timeout > 0 && timeout < 2 ** 31;
    const timer = limited && setTimeout(() => controller.abort((late = true)), timeout);
    const url = call.url ?? (call.site ? settings.siteUrl : settings.baseUrl) + call.path;
    let received: Received | undefined;
    try {
      const response = await http.raw(url, {
        method,
        headers,
        query: call.query as Record<string, unknown>,
        body: body === undefined ? undefined : JSON.stringify(body),
        signal: controller.signal,
        // Leaves the body to be read below, as text whatever its type.
        responseType: 'stream',
        ignoreResponseError: true,
        retry: false,
        // A key must not travel to wherever a redirect points.
        redirect: call.anonymous ? 'follow' : 'manual',
        ...(settings.credentials && !call.anonymous && { credentials: settings.credentials }),
      });
      const { status, statusText } = response;
      received = { status, statusText, headers: response.headers, text: await response.text() };
    } catch (error) {
      if (signal?.aborted) throw aborted(signal);
      throw late ? timedOut(call, timeout) : notReached(url, error);
    } finally {
      if (timer) clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
      settings.onRequest?.({
        method,
        path: call.shown ?? call.path,
        attempt: attempt + 1,
        status: received?.status ?? null,
        duration: performance.now() - began,
        requestId: received?.headers.get('x-request-id') ?? null,
      });
    }
    return received;
  }

  function headersOf(call: Call, { idempotencyKey, headers = {} }: RequestOptions): Headers {
    const all = new Headers(call.anonymous ? {} : settings.headers);
    all.set('accept', 'application/json');
    if (call.creates || idempotencyKey) all.set('idempotency-key', idempotencyKey ?? randomKey());
    for (const [name, value] of Object.entries(headers)) all.set(name, value);
    return all;
  }

  async function* pages<T>(call: Call, options?: RequestOptions) {
    let query: object | null = { limit: 100, ...call.query };
    while (query) {
      const page: Answer<T[]> = await answer({ ...call, query, list: true }, options);
      yield* page.data;
      query = nextPage(page.headers.get('link'), query);
    }
  }

  return { answer, pages, send: async (call, options) => (await answer<never>(call, options)).data };
}

const shown = ({ method = 'GET', path, shown = path }: Call) => `${method} ${shown}`;

function dataOf(received: Received, call: Call, request: string): unknown {
  const { status, text } = received;
  const data = call.text ? text : jsonOf(text);
  if ((status < 200 || status > 299) && !call.accept?.(status, data)) throw errorOf(received, request);
  if (call.bodyless) return undefined;
  // Who accepts further answers looks into them: null holds nothing.
  if (call.list ? !Array.isArray(data) : call.accept ? !data : data === undefined)
    throw unexpected(received, request, call.list);
  return data;
}

const gone = <T>(): Answer<T> => ({ data: undefined as T, headers: new Headers() });

const timedOut = (call: Call, timeout: number): UptimeError =>
  new TimeoutError(`${shown(call)} was not answered within ${timeout} ms.`);

function notReached(url: string, error: unknown): UptimeError {
  // fetch says little, and ofetch's own message holds the whole address: the platform's code is below both.
  const cause = (error as Error).cause ?? error;
  const { code } = ((cause as Error).cause ?? cause) as { code?: unknown };
  const why = typeof code === 'string' ? ` (${code})` : '';
  return new ConnectionError(`There is no answer from ${new URL(url).origin}${why}: is a server running there?`, {
    cause,
  });
}

/** 128 bits in hex. `crypto.randomUUID` is missing on pages served without TLS. */
const randomKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
