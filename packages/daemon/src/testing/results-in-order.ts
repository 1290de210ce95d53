import { expect } from 'vitest';
import type { ResultsCall } from '../probe-protocol.ts';
import { startRoundRobin } from './round-robin.ts';

/** Starts a proxy in front of a daemon. It records the calls in which probes send results, in order of arrival. */
export async function startResultsRecorder(daemonUrl: string) {
  const calls: ResultsCall[] = [];
  const proxy = await startRoundRobin((path, body) => {
    if (path === '/api/probe/results') calls.push(JSON.parse(body) as ResultsCall);
  });
  proxy.upstreams.push(daemonUrl);
  return { url: proxy.url, calls: calls as readonly ResultsCall[], close: () => proxy.close() };
}

/**
 * Checks the calls that reached the server, and returns how many results they had. A repeated result counts once. Each
 * probe must number its results 1, 2, 3 and so on, send them in this order, and leave out none. The checks of a monitor
 * must end in the same order. Only `maxRepeatedCalls` calls of all probes together may contain results that the server
 * got before.
 */
export function expectResultsInOrder(
  calls: readonly ResultsCall[],
  { probes, maxRepeatedCalls }: { probes: number; maxRepeatedCalls: number },
): number {
  const byProbe = Map.groupBy(calls, ({ probe }) => probe);
  expect(byProbe.size).toBe(probes);
  let repeatedCalls = 0;
  let total = 0;
  for (const ofProbe of byProbe.values()) {
    let received = 0;
    const latest = new Map<number, number>();
    for (const { results } of ofProbe) {
      const first = results[0]!.seq;
      expect(results.map(({ seq }) => seq)).toEqual(results.map((_, index) => first + index));
      expect(first).toBeLessThanOrEqual(received + 1);
      if (first <= received) repeatedCalls++;
      for (const { seq, monitor, at } of results) {
        if (seq <= received) continue;
        expect(at).toBeGreaterThanOrEqual(latest.get(monitor) ?? 0);
        latest.set(monitor, at);
        received = seq;
      }
    }
    total += received;
  }
  expect(repeatedCalls).toBeLessThanOrEqual(maxRepeatedCalls);
  return total;
}
