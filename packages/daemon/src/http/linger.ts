import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';

/** How long the client of a refused request may go on sending, in milliseconds. */
const lingerMs = 5000;
/** Maximum number of refused requests that linger at a time. A flood of them would keep the event loop busy. */
const mostLingering = 16;

/**
 * Returns a function that reads and drops the rest of a refused request after its answer, and then closes the
 * connection. A connection that closes with unread bytes is reset, and a client or proxy that is still sending would
 * lose the answer. If too many are refused at once, the others are reset.
 */
export function createLinger(): (request: IncomingMessage) => void {
  let lingering = 0;
  return (request) => {
    const { socket } = request;
    // A request that is injected in this process has no connection.
    if (!(socket instanceof Socket)) return;
    const closeAtOnce = socket.destroySoon.bind(socket);
    let lingers = false;
    // Node calls this after the last answer of a connection, and may call it again.
    socket.destroySoon = () => {
      if (lingers && !request.complete) return;
      if (request.complete || lingering >= mostLingering) return closeAtOnce();
      lingers = true;
      lingering++;
      socket.end();
      const timer = setTimeout(() => socket.destroy(), lingerMs).unref();
      socket.once('close', () => {
        lingering--;
        clearTimeout(timer);
      });
      request.once('end', closeAtOnce);
      request.resume();
    };
  };
}
