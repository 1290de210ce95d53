import { Agent, request } from 'node:http';

/** A sender that pings at a steady rate without waiting for answers. */
export interface Pinging {
  /** The sequence numbers of the pings for which the server returned 200. */
  acknowledged: number[];
  /** The sequence numbers of pings that may have reached a server, but got no complete answer. */
  unanswered: number[];
  /** How often each outcome other than the status 200 occurred. The keys are other statuses, and errors. */
  others: Map<string, number>;
  /** The longest time from the moment when a ping was due until it was sent. On a busy machine, pings are late. */
  maxLateMs(): number;
  /** Stops sending, and waits for the remaining answers. */
  stop(): Promise<void>;
}

/** If a ping is sent this long after it was due, or later, the job may miss its deadline. */
export const punctualMs = 300;
const connections = 32;
/**
 * The period of the timer that sends the pings that are due. It is much shorter than the time between two pings,
 * because a ping that becomes due just after the timer fired has to wait for a whole period.
 */
const sendDueEveryMs = 5;
const retryAfterMs = 50;

/**
 * Sends pings, `perSecond` in each second, with sequence numbers from `first`. A ping has its sequence number as a
 * metric; with `plain`, it has no metrics. With `retries`, a ping without an answer is sent again, as `curl --retry`
 * does.
 */
export function startPinging(
  pingUrl: (seq: number) => string,
  perSecond: number,
  { first = 0, plain = false, retries = false }: { first?: number; plain?: boolean; retries?: boolean } = {},
): Pinging {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const acknowledged: number[] = [];
  const unanswered: number[] = [];
  const others = new Map<string, number>();
  const underWay = new Set<Promise<void>>();
  const begun = performance.now();
  let sent = 0;
  let maxLateMs = 0;
  let stopped = false;

  const ping = (seq: number) =>
    new Promise<void>((resolve) => {
      const done = (what: string): void => {
        if (retries && !stopped) setTimeout(() => void ping(seq).then(resolve), retryAfterMs);
        else {
          others.set(what, (others.get(what) ?? 0) + 1);
          if (!/^\d|ECONNREFUSED/.test(what)) unanswered.push(seq);
          resolve();
        }
      };
      const body = plain ? '' : JSON.stringify({ seq });
      const headers = { 'content-type': 'application/json', 'content-length': body.length };
      request(pingUrl(seq), { agent, ...(!plain && { method: 'POST', headers }) }, (response) => {
        response.resume();
        response.on('error', () => done('cut off'));
        response.on('end', (): void => {
          if (response.statusCode === 200) {
            acknowledged.push(seq);
            resolve();
          } else done(String(response.statusCode));
        });
      })
        .on('error', (error) => done((error as NodeJS.ErrnoException).code ?? error.message))
        .end(body);
    });

  const timer = setInterval(() => {
    const due = Math.floor(((performance.now() - begun) * perSecond) / 1000) + 1;
    for (; sent < due; sent++) {
      const one = ping(first + sent).finally(() => underWay.delete(one));
      underWay.add(one);
      maxLateMs = Math.max(maxLateMs, performance.now() - begun - (sent * 1000) / perSecond);
    }
  }, sendDueEveryMs);
  return {
    acknowledged,
    unanswered,
    others,
    maxLateMs: () => maxLateMs,
    async stop() {
      stopped = true;
      clearInterval(timer);
      await Promise.all(underWay);
      agent.destroy();
    },
  };
}
