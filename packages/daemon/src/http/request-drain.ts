import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';

/** How long the client of a refused request may continue to send, in milliseconds. */
const drainMs = 5000;
/**
 * Maximum number of refused requests that drain at a time. Without this limit, a flood of them would keep the event
 * loop busy.
 */
const maxDraining = 16;

/**
 * Returns a function that reads and drops the rest of a refused request after its answer, and then closes the
 * connection. A connection that closes with unread bytes is reset, and a client or proxy that is still sending would
 * lose the answer. If too many requests are refused at once, only `maxDraining` of them drain, and the other
 * connections are reset.
 */
export function createRequestDrain(): (request: IncomingMessage) => void {
  let draining = 0;
  return (request) => {
    const { socket } = request;
    // A request that is injected in this process has no connection.
    if (!(socket instanceof Socket)) return;
    const closeAtOnce = socket.destroySoon.bind(socket);
    let drains = false;
    // Node calls `destroySoon` after the last answer of a connection, and may call it again.
    socket.destroySoon = () => {
      if (drains && !request.complete) return;
      if (request.complete || draining >= maxDraining) return closeAtOnce();
      drains = true;
      draining++;
      socket.end();
      const timer = setTimeout(() => socket.destroy(), drainMs).unref();
      socket.once('close', () => {
        draining--;
        clearTimeout(timer);
      });
      request.once('end', closeAtOnce);
      request.resume();
    };
  };
}
