import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';

/** How long the client of a refused request may go on sending, in milliseconds. */
const lingerMs = 5000;

/**
 * Reads and drops the rest of a refused request after its answer, and closes the connection then. A connection that
 * closes with unread bytes is reset, and a client or proxy that is still sending would lose the answer.
 */
export function lingerAfter(request: IncomingMessage): void {
  const { socket } = request;
  // A request that is injected in this process has no connection.
  if (!(socket instanceof Socket)) return;
  const closeAtOnce = socket.destroySoon.bind(socket);
  // Node calls this after the last answer of a connection.
  socket.destroySoon = () => {
    if (request.complete) return closeAtOnce();
    socket.end();
    const timer = setTimeout(() => socket.destroy(), lingerMs).unref();
    socket.once('close', () => clearTimeout(timer));
    request.once('end', closeAtOnce);
    request.resume();
  };
}
