import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { networkOf } from './network-of.ts';

/** In one turn of the event loop, requests begin for at most this time. The other requests wait for the next turns. */
export const maxSliceMs = 6;

type Begin = () => void;

/** Begins a request, now or later. While too many requests arrive, the networks of their clients take turns. */
export type RequestShares = (address: string, begin: Begin) => void;

/**
 * Returns a `RequestShares` that begins requests for at most `maxSliceMs` in one turn of the event loop. The limit is
 * needed because a thousand connections may each send a request at the same moment, and each request takes a
 * fraction of a millisecond to begin. A waiting request needs little memory, because the server reads its body later.
 */
export function createRequestShares(monotonicMs: () => number): RequestShares {
  /** Waiting requests by network. The first network in the map begins the next request, and then moves to the end. */
  const waiting = new Map<string, Begin[]>();
  let begunMonoMs: number | null = null;

  const isTurnOver = (): boolean => begunMonoMs !== null && monotonicMs() - begunMonoMs >= maxSliceMs;
  const startTurn = () => {
    begunMonoMs = monotonicMs();
    setImmediate(nextTurn);
  };
  const nextTurn = () => {
    begunMonoMs = null;
    if (waiting.size === 0) return;
    startTurn();
    while (waiting.size > 0 && !isTurnOver()) takeNext(waiting)();
  };

  return (address, begin) => {
    if (begunMonoMs === null) startTurn();
    if (waiting.size === 0 && !isTurnOver()) return begin();
    const network = networkOf(address);
    const requests = waiting.get(network);
    if (requests) requests.push(begin);
    else waiting.set(network, [begin]);
  };
}

/** Takes the first request of the next network, and moves that network to the end. */
function takeNext(waiting: Map<string, Begin[]>): Begin {
  const [network, requests] = waiting.entries().next().value!;
  const begin = requests.shift()!;
  waiting.delete(network);
  if (requests.length > 0) waiting.set(network, requests);
  return begin;
}

/** Makes the requests of a server take turns by network. Call it after all listeners for requests were added. */
export function shareRequests(server: Server, monotonicMs: () => number): void {
  const listeners = server.listeners('request') as RequestListener[];
  const share = createRequestShares(monotonicMs);
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) =>
    share(request.socket.remoteAddress ?? '', () => {
      for (const listener of listeners) listener(request, response);
    }),
  );
}
