import { expect } from 'vitest';
import { boundMs, isExact } from '../../packages/daemon/src/testing/bound-ms.ts';
import { httpTarget, tcpTarget } from '../../packages/daemon/src/testing/targets/index.ts';
import { type DaemonProcess, startDaemonProcess } from './daemon-process.ts';
import { until } from './until.ts';

const openFiles = 4096;
const neighbours = 19;
/** A check must find an outage within the interval plus this time. */
const detectedWithinMs = 2000;
/** The lowest accepted value of Jain's index of fairness among the other projects; 1 means equal shares. */
const minFairness = isExact() ? 0.99 : 0.8;

export interface HangingLoad {
  hanging: number;
  /** The interval of every monitor. */
  intervalSeconds: number;
  /** The number of intervals in which checks are counted. */
  intervals: number;
}

/**
 * One project has `hanging` monitors whose target accepts connections and never answers. 19 other projects have one
 * monitor each. The daemon has 4,096 descriptors. Asserts limits for the checks of the other projects. Returns the
 * measured figures.
 */
export async function surviveHangingNeighbour(load: HangingLoad): Promise<string> {
  const { hanging, intervalSeconds, intervals: due } = load;
  const intervalMs = intervalSeconds * 1000;
  let open = 0;
  let maxOpen = 0;
  await using silent = await tcpTarget((socket) => {
    maxOpen = Math.max(maxOpen, ++open);
    socket.resume().on('close', () => open--);
  });
  const checkedAt = new Map<string, number[]>();
  const failing = new Set<string>();
  await using target = await httpTarget((request, response) => {
    const path = request.url ?? '';
    checkedAt.set(path, [...(checkedAt.get(path) ?? []), performance.now()]);
    response.writeHead(failing.has(path) ? 500 : 200).end();
  });
  await using daemon = await startDaemonProcess({ openFiles });
  const paths = Array.from({ length: neighbours }, (_, at) => `/neighbour${at}`);
  for (const path of paths) {
    const createIn = await daemon.anotherProject(path.slice(1));
    const url = `http://127.0.0.1:${target.port}${path}`;
    await createIn({ type: 'http', name: path, url, interval: intervalSeconds, timeout: intervalSeconds });
  }
  const hangs = `http://127.0.0.1:${silent.port}/`;
  const { id } = await daemon.monitor({ type: 'http', url: hangs, interval: intervalSeconds, timeout: 30 });
  await daemon.end('SIGTERM');
  copyMonitor(daemon, id, hanging - 1);
  await daemon.start();
  await until('400 checks of the hanging monitors are under way', 20_000, () => open >= 400);

  const from = performance.now();
  await new Promise((resolve) => setTimeout(resolve, due * intervalMs));
  const to = performance.now();
  const times = paths.map((path) => checkedAt.get(path)!);
  const { done, lateMs, fairness } = sharesOf(times, { from, to, due, intervalMs });

  const victim = paths[0]!;
  const database = daemon.open();
  const status = database
    .prepare('select status from monitor_state join monitor on seq = monitor where name = ?')
    .pluck();
  failing.add(victim);
  const failedAt = performance.now();
  await until('the outage is found', intervalMs + detectedWithinMs, () => status.get(victim) === 'down');
  const foundMs = performance.now() - failedAt;
  const unobserved = database
    .prepare('select count(*) from monitor_state join monitor on seq = monitor where unobserved_since is not null')
    .pluck()
    .get();
  database.close();
  const { status: health } = await daemon.request('GET', '/healthz');

  const figures = `${hanging} hanging monitors, ${maxOpen} in flight at most: neighbours' checks ${lateMs.toFixed(0)} ms late at most, Jain ${fairness.toFixed(4)}, ${Math.min(...done)} to ${Math.max(...done)} of ${due} checks; outage found after ${(foundMs / 1000).toFixed(1)} s`;
  expect(lateMs, figures).toBeLessThan(boundMs(intervalMs));
  expect(fairness, figures).toBeGreaterThanOrEqual(minFairness);
  expect(Math.min(...done), figures).toBeGreaterThanOrEqual(isExact() ? due - 1 : 1);
  expect(maxOpen, figures).toBeLessThanOrEqual(openFiles / 4);
  // Descriptors never ran out, and the daemon is healthy although one project is late.
  expect(unobserved, figures).toBe(0);
  expect(daemon.log()).not.toContain('EMFILE');
  expect(health, figures).toBe(200);
  return figures;
}

/** For the other projects: how many checks each had, how late a check was at most, and how fair the shares were. */
function sharesOf(
  checkedAt: readonly number[][],
  { from, to, due, intervalMs }: { from: number; to: number; due: number; intervalMs: number },
) {
  const done = checkedAt.map((times) => times.filter((at) => at >= from && at <= to).length);
  const gaps = checkedAt.flatMap((all) => {
    const times = all.filter((at) => at >= from - intervalMs);
    return [...times, to].slice(1).map((at, n) => at - times[n]!);
  });
  return { done, lateMs: Math.max(...gaps) - intervalMs, fairness: jain(done.map((count) => count / due)) };
}

/** Copies a monitor in the store of a stopped daemon. To create thousands through the API would take minutes. */
function copyMonitor(daemon: DaemonProcess, id: string, copies: number): void {
  const database = daemon.open({ readonly: false });
  const row = (sql: string, ...values: unknown[]) => database.prepare(sql).get(...values) as Record<string, unknown>;
  const insert = (table: string, values: Record<string, unknown>) => {
    const columns = Object.keys(values);
    const sql = `insert into ${table} (${columns.join()}) values (${columns.map((name) => `@${name}`).join()})`;
    return database.prepare(sql).run(values).lastInsertRowid;
  };
  const { seq, ...monitor } = row('select * from monitor where id = ?', id);
  const state = row('select * from monitor_state where monitor = ?', seq);
  const schedule = row('select * from schedule where monitor = ?', seq);
  database.transaction(() => {
    for (let copy = 0; copy < copies; copy++) {
      const copied = insert('monitor', { ...monitor, id: `${id}_${copy}` });
      insert('monitor_state', { ...state, monitor: copied });
      insert('schedule', { ...schedule, monitor: copied });
    }
  })();
  database.close();
}

const jain = (shares: readonly number[]) =>
  shares.reduce((sum, share) => sum + share, 0) ** 2 /
  (shares.length * shares.reduce((sum, share) => sum + share ** 2, 0));
