import { addresses } from './namespaces.ts';
import type { StartedDaemon } from './start-daemon.ts';

/** A stored result of a failed check. */
export interface StoredFailure {
  name: string;
  at: number;
  error: string;
}

interface StoredResult {
  timestamp: string;
  status: 'up' | 'down';
  error: object | null;
}

const [first, second, third] = addresses.targets;

/**
 * Monitors of targets beyond the router, and of one target on the checker's link. Some monitors have the address of
 * their target, others have its name. The names `t1` to `t4` stand for the four targets.
 */
export const monitorsOf = (interval: number, timeout: number) =>
  [
    { name: 'http by address', type: 'http', url: `http://${first}/` },
    { name: 'http by name', type: 'http', url: 'http://t2.alpha.test/' },
    { name: 'tcp by address', type: 'tcp', host: third, port: 80 },
    { name: 'ping by name', type: 'ping', host: 't4.beta.test' },
    { name: 'dns', type: 'dns', hostname: 't2.gamma.test' },
    { name: 'dns of another server', type: 'dns', hostname: 't2.delta.test', nameserver: addresses.otherNameServer },
    { name: 'http on the link', type: 'http', url: `http://${addresses.neighbour}/` },
    { name: 'http of the second', type: 'http', url: `http://${second}/` },
  ].map((monitor) => ({ ...monitor, interval, timeout }));

/** Creates monitors. Resolves with a function that reads their stored failures since a time. */
export async function createMonitors(
  daemon: StartedDaemon,
  monitors: readonly { name: string }[],
  regions: readonly string[],
): Promise<(time: number) => Promise<StoredFailure[]>> {
  const ids = new Map<string, string>();
  for (const monitor of monitors) {
    const { id } = await daemon.ask<{ id: string }>('POST', '/api/monitors', { body: { ...monitor, regions } });
    ids.set(monitor.name, id);
  }
  return async (time) => {
    const failures: StoredFailure[] = [];
    for (const [name, id] of ids) {
      const results = await daemon.ask<StoredResult[]>('GET', `/api/monitors/${id}/response-times`);
      for (const { timestamp, status, error } of results) {
        const at = Date.parse(timestamp);
        if (status === 'down' && at >= time) failures.push({ name, at, error: JSON.stringify(error) });
      }
    }
    return failures;
  };
}
