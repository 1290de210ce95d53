import { Agent, type buildConnector, type Dispatcher, fetch, Request } from 'undici';
import { type Guard, openGuardedSocket } from './guarded-socket.ts';

// Callers import this file only before their first request, because undici loads slowly and would delay each start.

/**
 * Returns a `fetch` that connects only to allowed addresses. It asks for gzip, and throws if the response has an
 * encoding other than gzip and deflate. Otherwise `fetch` would decode Brotli with Node's decoder, which must not
 * see data from strangers (docs/security.md).
 */
export function createGuardedFetch(guard: Guard): typeof globalThis.fetch {
  const connect: buildConnector.connector = (to, answer) => {
    openGuardedSocket(guard, to).then(
      (socket) => answer(null, socket),
      (error: Error) => answer(error, null),
    );
  };
  const dispatcher = new Agent({ pipelining: 0, connect }).compose(refuseOtherEncodings);
  // undici's `fetch` works like the global `fetch`, but has types of its own.
  return ((input: never, init: object) => {
    const request = new Request(input, init);
    request.headers.set('accept-encoding', 'gzip');
    return fetch(request, { dispatcher });
  }) as never;
}

const decoded = new Set(['', 'identity', 'gzip', 'x-gzip', 'deflate']);

const refuseOtherEncodings: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) =>
  dispatch(options, {
    onRequestStart: (...about) => handler.onRequestStart?.(...about),
    onRequestUpgrade: (...about) => handler.onRequestUpgrade?.(...about),
    onResponseStart(controller, status, headers, text) {
      const encoding = String(headers['content-encoding'] ?? '');
      // Throwing here ends the request before any of the body is read.
      if (!encoding.split(',').every((name) => decoded.has(name.trim().toLowerCase())))
        throw new Error(`the server sent a content encoding that was not asked for: ${encoding.slice(0, 100)}`);
      handler.onResponseStart?.(controller, status, headers, text);
    },
    onResponseData: (...about) => handler.onResponseData?.(...about),
    onResponseEnd: (...about) => handler.onResponseEnd?.(...about),
    onResponseError: (...about) => handler.onResponseError?.(...about),
    onResponseStarted: () => handler.onResponseStarted?.(),
    onBodySent: (chunk) => handler.onBodySent?.(chunk),
    onRequestSent: () => handler.onRequestSent?.(),
  });
