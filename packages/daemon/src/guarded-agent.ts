import { type BlockList, connect, type LookupFunction } from 'node:net';
import { Agent, buildConnector, type Dispatcher, fetch, Request } from 'undici';

// Imported with the first request, because undici loads slowly and a daemon that sends nothing should start fast.

interface Guard {
  blockList: BlockList;
  lookup: LookupFunction;
  signal?: AbortSignal;
}

/**
 * HTTP for everything except checks: one request for each connection, and never to a blocked address. It connects first
 * and starts TLS then, because `tls.connect` itself ignores the block list. When the signal aborts, a connection in
 * progress is closed.
 */
export function createGuardedAgent(guard: Guard): Agent {
  const encrypt = buildConnector({ timeout: 0, allowH2: false });
  const connector: buildConnector.connector = (to, answer) => {
    const secure = to.protocol === 'https:';
    const socket = connect({ ...guard, host: to.hostname, port: Number(to.port || (secure ? 443 : 80)) });
    let connected = false;
    socket.once('connect', () => {
      connected = true;
      if (secure) encrypt({ ...to, httpSocket: socket }, answer);
      else answer(null, socket);
    });
    // Once connected, the reader handles errors. This listener keeps them from being thrown.
    socket.on('error', (error) => {
      if (!connected) answer(error, null);
    });
  };
  return new Agent({ pipelining: 0, connect: connector });
}

/**
 * The platform's fetch through a guarded agent. It asks for gzip, and refuses every encoding except gzip and deflate:
 * fetch would decode Brotli with Node's decoder, which must not see data from strangers (docs/security.md).
 */
export function createGuardedFetch(guard: Guard): typeof globalThis.fetch {
  const dispatcher = createGuardedAgent(guard).compose(refuseOtherEncodings);
  // undici's fetch is the same function with its own types.
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
