import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type Clock, systemClock } from '../deps.ts';
import type { ProbeResult, ResultsCall } from '../probe-protocol.ts';
import { createFakeClock } from '../testing/fake-clock.ts';
import { passedResult } from '../testing/passed-result.ts';
import { silentLog } from '../testing/test-daemon.ts';
import { createLink, type Link } from './link.ts';
import { type Sending, startSending } from './send-results.ts';

interface Answer {
  status: number;
  body: string;
  headers?: Record<string, string>;
}

/** Decides the answer to these results: null if the server takes them. */
let refuse: (results: readonly ProbeResult[]) => Answer | null;
/** The numbers of the results in each call, and of the results that the server took. */
let calls: number[][];
let taken: number[];
let server: Server;
let link: Link;

const proxyAnswer = (status: number) => ({ status, body: '<html><h1>The proxy refuses this request</h1></html>' });
const ownAnswer = (status: number, code: string, path: string) => ({
  status,
  body: JSON.stringify({ code, detail: `${path} is wrong`, errors: [{ path, message: 'is wrong' }] }),
});

beforeAll(async () => {
  server = createServer((request, response) => {
    void text(request).then((body) => {
      const { results } = JSON.parse(body) as ResultsCall;
      const seqs = results.map(({ seq }) => seq);
      calls.push(seqs);
      const refusal = refuse(results);
      if (refusal) return response.writeHead(refusal.status, refusal.headers).end(refusal.body);
      taken.push(...seqs);
      return response.end(JSON.stringify({ protocol: 2, applied: seqs.at(-1), ignored: 0 }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  link = createLink({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, token: 't' });
});
afterAll(() => new Promise<void>((resolve) => void server.close(() => resolve())));
beforeEach(() => {
  refuse = () => null;
  calls = [];
  taken = [];
});

const numbersTo = (last: number) => Array.from({ length: last }, (_, at) => at + 1);
const resultOf = (seq: number): ProbeResult => passedResult(seq, { seq });

let stop: () => Promise<void>;
afterEach(() => stop());

/** Starts to send results with the numbers 1 to `count`. `thin` is called to limit the size of the queue. */
function start(clock: Clock, count: number, thin: () => Promise<void> = async () => undefined) {
  let waiting = numbersTo(count).map(resultOf);
  const stopping = new AbortController();
  const sending: Sending = startSending(
    { clock, log: silentLog, random: () => 0 },
    {
      probe: 'p',
      run: 'r',
      hasJoined: () => true,
      stopping: stopping.signal,
      link,
      queue: {
        add: () => Promise.reject(new Error('not in this test')),
        join: () => Promise.reject(new Error('not in this test')),
        next: async () => waiting,
        drop: async (applied) => void (waiting = waiting.filter(({ seq }) => seq > applied)),
        waiting: async () => ({ queued: waiting.length, oldestAt: null }),
        thin,
        fullFor: () => null,
      },
    },
  );
  stop = () => {
    stopping.abort();
    return sending.close();
  };
  return { sending, waiting: () => waiting.map(({ seq }) => seq) };
}

test('a probe drops a result that the server refuses, and sends all other results', async () => {
  refuse = (results) => {
    const at = results.findIndex(({ seq }) => seq === 13);
    return at < 0 ? null : ownAnswer(400, 'invalid_request', `results.${at}.at`);
  };
  const { sending, waiting } = start(systemClock, 20);
  await vi.waitFor(() => expect(waiting()).toEqual([]), 20_000);
  expect(sending.fault()).toContain('The server refuses results of this probe');
  expect(taken).toEqual(numbersTo(20).filter((seq) => seq !== 13));
});

test('a probe drops a result that the server itself, not a proxy, refuses as too large', async () => {
  refuse = (results) => (results.some(({ seq }) => seq === 2) ? ownAnswer(413, 'payload_too_large', '') : null);
  const { waiting } = start(systemClock, 3);
  await vi.waitFor(() => expect(waiting()).toEqual([]), 20_000);
  expect(taken).toEqual([1, 3]);
});

test.each([
  ['a proxy answers with status 400', () => proxyAnswer(400), [20, 20, 20, 20]],
  ['a proxy answers with status 413 at every size', () => proxyAnswer(413), [20, 10, 5, 2]],
  ['the server finds a fault outside the results', () => ownAnswer(400, 'invalid_request', ''), [20, 20, 20, 20]],
])('if %s, the probe keeps all results, waits between its tries, and sends them later', async (_, answer, sizes) => {
  refuse = answer;
  const clock = createFakeClock();
  const { sending, waiting } = start(clock, 20);
  const isResting = () => vi.waitFor(() => expect(clock.waiting()).toBe(1), 20_000);
  for (const [failures, waitMs] of [250, 500, 1000].entries()) {
    await isResting();
    sending.wake();
    await clock.advance(waitMs - 1);
    expect(calls).toHaveLength(failures + 1);
    // After the wait, the woken probe gathers results for 100 ms.
    await clock.advance(1 + 100);
    await vi.waitFor(() => expect(calls).toHaveLength(failures + 2), 20_000);
  }
  await isResting();
  expect(calls.map((seqs) => seqs.length)).toEqual(sizes);
  expect(waiting()).toEqual(numbersTo(20));
  expect(sending.fault()).toBe(null);

  refuse = () => null;
  await clock.advance(2000);
  await vi.waitFor(() => expect(waiting()).toEqual([]), 20_000);
  expect(taken).toEqual(numbersTo(20));
});

test('a probe keeps a single result that a proxy refuses as too large, and sends larger batches as soon as the result passes', async () => {
  refuse = () => proxyAnswer(413);
  const clock = createFakeClock();
  const { waiting } = start(clock, 20);
  for (const [failures, waitMs] of [250, 500, 1000, 2000, 4000, 7500].entries()) {
    await vi.waitFor(() => expect([calls.length, clock.waiting()]).toEqual([failures + 1, 1]), 20_000);
    await clock.advance(waitMs);
  }
  await vi.waitFor(() => expect([calls.length, clock.waiting()]).toEqual([7, 1]), 20_000);
  expect(calls.map((seqs) => seqs.length)).toEqual([20, 10, 5, 2, 1, 1, 1]);
  expect(waiting()).toEqual(numbersTo(20));

  refuse = () => null;
  await clock.advance(7500);
  await vi.waitFor(() => expect(waiting()).toEqual([]), 20_000);
  expect(calls.slice(7).map((seqs) => seqs.length)).toEqual([1, 2, 4, 8, 5]);
});

test('through a proxy that refuses large requests, all results arrive in smaller batches', async () => {
  refuse = (results) => (results.length > 6 ? proxyAnswer(413) : null);
  // The probe's waits take only a fiftieth of their usual time.
  const clock = { ...systemClock, after: (ms: number, call: () => void) => systemClock.after(ms / 50, call) };
  const { sending, waiting } = start(clock, 60);
  await vi.waitFor(() => expect(waiting()).toEqual([]), 20_000);
  expect(taken).toEqual(numbersTo(60));
  expect(sending.fault()).toBe(null);
  // The probe does not try larger batches again at once.
  expect(calls.filter((seqs) => seqs.length > 6).length).toBeLessThan(10);
});

test('after a few refusals, a probe finds the largest batch that passes a proxy', async () => {
  refuse = (results) => (results.length > 35 ? proxyAnswer(413) : null);
  const clock = { ...systemClock, after: (ms: number, call: () => void) => systemClock.after(ms / 50, call) };
  const { waiting } = start(clock, 1000);
  await vi.waitFor(() => expect(waiting()).toEqual([]), 20_000);
  expect(taken).toEqual(numbersTo(1000));
  expect(calls.filter((seqs) => seqs.length > 35).length).toBeLessThan(10);
  expect(Math.max(...calls.slice(-10, -1).map((seqs) => seqs.length))).toBe(35);
});

test('the probe limits the size of the queue while the server does not accept results', async () => {
  refuse = () => proxyAnswer(502);
  const clock = createFakeClock();
  const thin = vi.fn(async () => undefined);
  start(clock, 1, thin);
  while (thin.mock.calls.length < 2) {
    await vi.waitFor(() => expect(clock.waiting()).toBe(1), 20_000);
    await clock.advance(2000);
  }
  expect(clock.monotonicMs()).toBeLessThan(60_000);
});

test('after a refusal, the probe waits as long as the server says', async () => {
  refuse = () => ({ ...ownAnswer(429, 'rate_limited', ''), headers: { 'retry-after': '7' } });
  const clock = createFakeClock();
  const { waiting } = start(clock, 3);
  await vi.waitFor(() => expect(clock.waiting()).toBe(1), 20_000);
  refuse = () => null;
  await clock.advance(6999);
  expect(calls).toHaveLength(1);
  await clock.advance(1);
  await vi.waitFor(() => expect(waiting()).toEqual([]), 20_000);
});
