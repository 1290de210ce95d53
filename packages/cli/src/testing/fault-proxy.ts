import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The faults that a request can have. The texts are for the names of tests. */
export const faults = {
  /** The connection breaks before the request arrives. */
  'cut-before': 'does not reach the server',
  /** The request arrives, and the connection breaks before its answer returns. */
  'cut-after': 'reaches the server but gets no answer',
  delay: 'gets its answer late',
  'answer-429': 'is answered with 429',
  'answer-500': 'is answered with 500',
} as const;
export type Fault = keyof typeof faults;

export interface FaultProxy extends AsyncDisposable {
  url: string;
  /**
   * From now on, the request with the number `at` (counted from 1) has the fault. With `lasting`, all later requests
   * have it too.
   */
  break: (fault: Fault, at: number, lasting: boolean) => void;
  /** Returns the number of requests since the last call of `break`. */
  seen: () => number;
}

/** Opens a proxy in front of a server. The proxy has its own port, and can make a request fail. */
export async function openFaultProxy(target: string): Promise<FaultProxy> {
  let plan: { fault: Fault; at: number; lasting: boolean } | null = null;
  let seen = 0;
  const server = createServer((incoming, outgoing) => {
    seen++;
    const fault = plan && (seen === plan.at || (plan.lasting && seen > plan.at)) ? plan.fault : null;
    if (fault === 'cut-before') {
      incoming.socket.destroy();
      return;
    }
    if (fault === 'answer-429' || fault === 'answer-500') {
      const status = Number(fault.slice(-3));
      const body = JSON.stringify({ status, code: 'internal', title: 'x', detail: 'It failed.' });
      outgoing.writeHead(status, { 'content-type': 'application/problem+json', 'retry-after': '0' }).end(body);
      incoming.resume();
      return;
    }
    const onward = request(
      new URL(incoming.url ?? '/', target),
      { method: incoming.method, headers: incoming.headers, agent: false },
      (answer) => {
        if (fault === 'cut-after') {
          answer.resume().on('end', () => incoming.socket.destroy());
          return;
        }
        const pass = () => answer.pipe(outgoing.writeHead(answer.statusCode ?? 502, answer.headers));
        if (fault === 'delay') setTimeout(pass, 50);
        else pass();
      },
    );
    onward.on('error', () => incoming.socket.destroy());
    incoming.pipe(onward);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    break(fault, at, lasting) {
      plan = { fault, at, lasting };
      seen = 0;
    },
    seen: () => seen,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => void server.close(resolve));
    },
  };
}
