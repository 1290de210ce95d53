import { createServer } from 'node:http';
import { listening } from './tcp.ts';

/** A site whose paths return 200, or 503 while it is shut. It counts the requests of each path. */
export interface SwitchedTarget {
  url(path: string): string;
  open(): void;
  shut(): void;
  /** The times of the requests to a path, and the answer to each. */
  requests(path: string): readonly { at: number; status: number }[];
  close(): Promise<void>;
}

export async function switchedTarget(): Promise<SwitchedTarget> {
  let status = 200;
  const requests = new Map<string, { at: number; status: number }[]>();
  const of = (path: string) => {
    const known = requests.get(path) ?? [];
    requests.set(path, known);
    return known;
  };
  const server = createServer((request, response) => {
    const earlier = of((request.url ?? '').slice(1));
    // For a monitor and a region, the daemon stores at most one result per millisecond. So two simultaneous checks must
    // end at different times.
    const delayMs = earlier.length % 2 === 0 ? 0 : 20;
    earlier.push({ at: Date.now(), status });
    response.writeHead(status, { connection: 'close' });
    setTimeout(() => response.end(), delayMs);
  });
  const target = await listening(server);
  return {
    url: (path) => `http://127.0.0.1:${target.port}/${path}`,
    open: () => void (status = 200),
    shut: () => void (status = 503),
    requests: of,
    close: () => target.close(),
  };
}
