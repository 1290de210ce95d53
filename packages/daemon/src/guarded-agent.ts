import { type BlockList, connect, type LookupFunction } from 'node:net';
import { Agent, buildConnector, type Dispatcher, fetch, Request } from 'undici';

// Imported with the first request alone: undici takes its time, and a daemon that sends nothing starts sooner.

interface Guard {
  blockList: BlockList;
  lookup: LookupFunction;
  signal?: AbortSignal;
}

/**
 * How whoever is no check asks by HTTP: one request a connection, and never at a blocked address. It connects first and
 * encrypts then, since `tls.connect` by itself ignores the list. Once the signal aborts, a connection that is on its way
 * is closed.
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
    // Once connected, whoever reads from it hears of its errors; this listener keeps them from being thrown.
    socket.on('error', (error) => {
      if (!connected) answer(error, null);
    });
  };
  return new Agent({ pipelining: 0, connect: connector });
}

/**
 * The platform's fetch, by a guarded agent. It asks for gzip, and refuses an answer that is encoded as anything else but
 * gzip and deflate: fetch would decode it by Node's Brotli, which must not see what strangers send (docs/security.md).
 */
export function createGuardedFetch(guard: Guard): typeof globalThis.fetch {
  const dispatcher = createGuardedAgent(guard).compose(refuseOtherEncodings);
  // undici's is the same fetch, with types of its own.
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
      // Thrown, it ends the request before anything of the body is looked at.
      if (!encoding.split(',').every((name) => decoded.has(name.trim().toLowerCase())))
        throw new Error(`the answer's content encoding was not asked for: ${encoding.slice(0, 100)}`);
      handler.onResponseStart?.(controller, status, headers, text);
    },
    onResponseData: (...about) => handler.onResponseData?.(...about),
    onResponseEnd: (...about) => handler.onResponseEnd?.(...about),
    onResponseError: (...about) => handler.onResponseError?.(...about),
    onResponseStarted: () => handler.onResponseStarted?.(),
    onBodySent: (chunk) => handler.onBodySent?.(chunk),
    onRequestSent: () => handler.onRequestSent?.(),
  });
