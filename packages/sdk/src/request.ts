import { createFetch } from 'ofetch';
import { ApiError, ConnectionError, NotFoundError, TimeoutError, type UptimeError } from './errors.ts';
import type { RequestEvent, RequestOptions } from './options.ts';
import { nextPage } from './paging.ts';
import { errorOf, jsonOf, type Received, unexpected } from './problem.ts';
import { aborted, delayAfter, wait } from './retry.ts';

/** The options of a client with every default filled in. */
export interface Settings {
  siteUrl: string;
  baseUrl: string;
  /** Headers of every call that is not anonymous; they include the credentials. */
  headers: Record<string, string>;
  credentials: RequestCredentials | undefined;
  timeout: number;
  retries: number;
  fetch: typeof globalThis.fetch;
  onRequest: ((event: RequestEvent) => void) | undefined;
}

/** One call of the API. */
export interface Call {
  method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** The path. It is appended to the address of the API or, if `site` is true, to the address of the server. */
  path: string;
  site?: boolean;
  /** A whole address, used instead of `path`. */
  url?: string;
  /** The text that logs and messages show instead of a secret path or address. */
  shown?: string;
  query?: object;
  body?: unknown;
  /** Whether to send no credentials, and to follow redirects. */
  anonymous?: boolean;
  /** Whether the call is a POST that creates something. It then gets an idempotency key, so it may be repeated. */
  creates?: boolean;
  /** Whether the call may be repeated. Default: true, except for a POST without an idempotency key. */
  repeatable?: boolean;
  /** Whether to ignore the body of the answer. */
  bodyless?: boolean;
  /** Whether the answer is text, such as a page. */
  text?: boolean;
  /** Whether the answer is an array. */
  list?: boolean;
  /** Called for an answer that is not a success. Returns a truthy value to accept the answer. */
  accept?: (status: number, data: unknown) => unknown;
  /**
   * Milliseconds that an attempt may take, for a call that takes longer than usual. Default: the timeout of the client.
   */
  timeout?: number;
}

/** An answer with its body parsed. */
export interface Answer<T> {
  data: T;
  headers: Headers;
}

/** The functions that resources call. */
export interface Api {
  /** Returns the body of the answer. */
  send: <T>(call: Call, options?: RequestOptions) => Promise<T>;
  /** Returns body and headers of the answer. */
  answer: <T>(call: Call, options?: RequestOptions) => Promise<Answer<T>>;
  /** Yields the entries of a list. It follows `Link: rel="next"` from page to page. */
  pages: <T>(call: Call, options?: RequestOptions) => AsyncGenerator<T, void, undefined>;
}

/** Returns the functions that send all requests of a client, with credentials, timeouts, retries and errors. */
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
        // The SDK does not validate the shape of an answer.
        return { data: dataOf(received, call, shown(call)) as T, headers: received.headers };
      } catch (error) {
        // An earlier attempt probably deleted the object, but its answer was lost. So this 404 is a success.
        if (lost && method === 'DELETE' && error instanceof NotFoundError)
          return { data: undefined as T, headers: new Headers() };
        const delay = repeatable && attempt < retries ? delayAfter(error, attempt) : null;
        if (delay === null) throw error;
        lost ||= !(error instanceof ApiError) || error.status >= 500;
        await wait(delay, signal);
      }
    }
  }

  /** Sends one request and returns the whole answer. Throws if the answer does not arrive completely. */
  async function attemptOnce(call: Call, options: RequestOptions, headers: Headers, attempt: number) {
    const { signal, timeout = call.timeout ?? settings.timeout } = options;
    if (signal?.aborted) throw aborted(signal);
    const { method = 'GET', body } = call;
    const begunMonoMs = performance.now();
    const controller = new AbortController();
    const stop = () => controller.abort(signal?.reason);
    signal?.addEventListener('abort', stop);
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
        body: JSON.stringify(body),
        signal: controller.signal,
        // ofetch does not read the body. `response.text()` below reads it, whatever its content type.
        responseType: 'stream',
        ignoreResponseError: true,
        retry: false,
        // A key must not be sent to the target of a redirect.
        redirect: call.anonymous ? 'follow' : 'manual',
        credentials: call.anonymous ? undefined : settings.credentials,
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
        duration: performance.now() - begunMonoMs,
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
  // A caller that sets `accept` reads fields of the answer. So for this caller, the answer null is an error.
  if (call.list ? !Array.isArray(data) : call.accept ? !data : data === undefined)
    throw unexpected(received, request, call.list);
  return data;
}

const timedOut = (call: Call, timeout: number): UptimeError =>
  new TimeoutError(`${shown(call)} got no answer within ${timeout} ms.`);

function notReached(url: string, error: unknown): UptimeError {
  // This error has its own message. The message of `fetch` has no details, and the message of ofetch contains the whole
  // address, which may be secret. The innermost cause may have an error code of the platform, such as ECONNREFUSED.
  const cause = (error as Error).cause ?? error;
  const { code } = ((cause as Error).cause ?? cause) as { code?: unknown };
  const why = typeof code === 'string' ? ` (${code})` : '';
  return new ConnectionError(`No answer from ${new URL(url).origin}${why}: is a server running there?`, {
    cause,
  });
}

/** Returns 128 random bits as digits. `crypto.randomUUID` is missing on pages served without TLS. */
const randomKey = () => crypto.getRandomValues(new BigUint64Array(2)).join('-');
