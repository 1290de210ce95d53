import { expect, test, vi } from 'vitest';
import { systemClock } from '../deps.ts';
import type { ProbeResult } from '../probe-protocol.ts';
import { silentLog } from '../testing/test-daemon.ts';
import { Refused } from './link.ts';
import { startSending } from './send-results.ts';

const resultOf = (seq: number): ProbeResult => ({
  seq,
  monitor: 1,
  generation: 0,
  begun: seq,
  at: seq,
  verdict: 'up',
  over: false,
  error: null,
  responseTime: null,
  statusCode: null,
  timings: null,
  certificate: null,
});

test('a probe drops a result that the server refuses, and sends all other results', async () => {
  let waiting = Array.from({ length: 20 }, (_, at) => resultOf(at + 1));
  const taken: number[] = [];
  const stopping = new AbortController();
  const sending = startSending(
    { clock: systemClock, log: silentLog, random: () => 0 },
    {
      probe: 'p',
      run: 'r',
      hasJoined: () => true,
      stopping: stopping.signal,
      queue: {
        add: () => Promise.reject(new Error('not in this test')),
        join: () => Promise.reject(new Error('not in this test')),
        next: async () => waiting,
        drop: async (applied) => void (waiting = waiting.filter(({ seq }) => seq > applied)),
        waiting: async () => ({ queued: waiting.length, oldestAt: null }),
        thin: async () => {},
      },
      link: {
        sync: () => Promise.reject(new Error('not in this test')),
        async sendResults({ results }) {
          if (results.some(({ seq }) => seq === 13))
            throw new Refused(400, 'invalid_request', 'results.0.at must be a number');
          taken.push(...results.map(({ seq }) => seq));
          return { protocol: 2, applied: results.at(-1)!.seq, ignored: 0 };
        },
      },
    },
  );
  await vi.waitFor(() => expect(waiting).toEqual([]), 20_000);
  expect(sending.fault()).toContain('The server refuses results of this probe');
  expect(taken).toEqual(Array.from({ length: 20 }, (_, at) => at + 1).filter((seq) => seq !== 13));
  stopping.abort();
  await sending.close();
});
