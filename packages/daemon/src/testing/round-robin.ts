import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An HTTP proxy on loopback that sends each request to the next upstream, without stickiness. */
export interface RoundRobin {
  url: string;
  /** The addresses of the upstreams. */
  upstreams: string[];
  /** The number of requests to a path so far. */
  requests(path: string): number;
  close(): Promise<void>;
}

/** If `onBody` is given, it gets the path and the whole body of each request. */
export async function startRoundRobin(onBody?: (path: string, body: string) => void): Promise<RoundRobin> {
  const upstreams: string[] = [];
  const agent = new Agent({ keepAlive: true });
  let turn = 0;
  const counts = new Map<string, number>();
  const server = createServer(forward);
  // Passes on requests with an unknown `Expect` header, because the node has to answer them.
  server.on('checkExpectation', forward);

  function forward(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const { hostname, port } = new URL(upstreams[turn++ % upstreams.length]!);
    const { method, url: path, headers } = incoming;
    counts.set(path!, (counts.get(path!) ?? 0) + 1);
    const chunks: Buffer[] = [];
    if (onBody) incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.once('end', () => onBody?.(path!, Buffer.concat(chunks).toString()));
    const forwarded = request({ agent, host: hostname, port, method, path, headers });
    // Sends the headers at once, because the node may refuse a request before any of the body arrives.
    forwarded.flushHeaders();
    forwarded.once('response', (answer) => {
      const { connection, ...passed } = answer.headersDistinct;
      for (const [name, values] of Object.entries(passed)) outgoing.setHeader(name, values!);
      outgoing.writeHead(answer.statusCode!, answer.statusMessage);
      // If the node closes its connection after the answer, the proxy ends its side of the client's connection, but
      // continues to read. Otherwise a client that is still sending would lose the answer.
      if (connection?.includes('close')) outgoing.once('finish', () => incoming.socket.end());
      // If an answer of the node breaks off, the answer to the client breaks off too.
      answer.once('error', () => outgoing.destroy());
      answer.pipe(outgoing);
    });
    forwarded.on('error', (error) => {
      // A node that refuses a body closes the connection while the proxy still writes. If the answer has arrived by
      // then, the error does no harm.
      if (!outgoing.headersSent) outgoing.destroy(error);
    });
    outgoing.once('close', () => {
      forwarded.destroy();
      // Reads the rest of a refused body. Otherwise the next request on the connection would never be read.
      incoming.unpipe().resume();
    });
    incoming.pipe(forwarded);
  }

  // An idle connection stays open. Otherwise it could close just when a client sends the next request on it.
  server.keepAliveTimeout = 0;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    upstreams,
    requests: (path) => counts.get(path) ?? 0,
    async close() {
      const ended = once(server, 'close');
      server.close();
      server.closeAllConnections();
      agent.destroy();
      await ended;
    },
  };
}
