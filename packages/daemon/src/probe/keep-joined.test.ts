import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { systemClock } from '../deps.ts';
import { createSteadyClock } from '../steady-clock.ts';
import { databases, type TestDatabase } from '../testing/databases.ts';
import { passedResult } from '../testing/passed-result.ts';
import { silentLog } from '../testing/test-daemon.ts';
import { keepJoined } from './keep-joined.ts';
import { createResultQueue, type ResultQueue } from './result-queue.ts';

let database: TestDatabase;
let queue: ResultQueue;
beforeEach(async () => {
  database = await databases[0]!.open();
  queue = await createResultQueue(database.store);
});
afterEach(() => database.dispose());

const clock = createSteadyClock(systemClock);
const site = 'https://uptime.example.com';
const eu = { region: 7, skewMs: 0, targets: undefined };

/** Starts a probe of the server at `url`. Resolves with what the probe remembers, and with the mock `forget`. */
async function startAt(url: string) {
  const forget = vi.fn<() => Promise<void>>(async () => {});
  const joined = await keepJoined(database.store, { url, clock, log: silentLog, forget });
  return { joined, forget };
}

/** Starts a probe that has joined the region `eu` and has one waiting result. */
async function joinEu() {
  const { joined, forget } = await startAt(site);
  await joined.note(eu);
  await database.store.write((trx) => queue.add(trx, [passedResult(1, {})]));
  return { joined, forget };
}

test('after a restart with the same address and region, the monitors and the waiting results stay', async () => {
  await joinEu();
  const { joined, forget } = await startAt(site);
  expect(joined.region).toBe(eu.region);
  await joined.note(eu);
  expect(forget).not.toHaveBeenCalled();
  expect(await queue.next()).toHaveLength(1);
});

test('a start with another address removes the monitors and the waiting results', async () => {
  await joinEu();
  const { joined, forget } = await startAt('https://other.example.com');
  expect(joined.region).toBe(0);
  expect(forget).toHaveBeenCalledOnce();
  expect(await queue.next()).toEqual([]);
});

test('a token for another region removes the monitors and the waiting results', async () => {
  const { joined, forget } = await joinEu();
  await joined.note({ ...eu, region: 8 });
  expect(forget).toHaveBeenCalledOnce();
  expect(await queue.next()).toEqual([]);
});
