import { createCheckContext, lookUpNameServers, runCheck, systemClock } from '@uptime/daemon/checks';
import { isPassive, type NormalMonitor } from '@uptime/sdk/contract';
import type { Context } from '../context.ts';
import { CliError } from '../exit.ts';
import type { Wanted } from '../manifest/item.ts';
import { redact } from './redact.ts';
import { hasFailed, type MonitorTest, type Skipped } from './test-report.ts';

export interface TestOptions {
  /** How many times a failed check is retried. Default: the `retries` of each monitor. */
  retries?: number | undefined;
  /** Whether the first failed test stops the running tests, and prevents further tests. */
  failFast: boolean;
  /** Maximum number of checks that run at once. */
  parallel: number;
  /** Called as each test ends. */
  onTest: (test: MonitorTest) => void;
}

/**
 * Runs the daemon's checks for every active monitor, without a server. Returns a test for every monitor, in the order
 * of the manifest.
 */
export async function testLocally(
  wanted: readonly Wanted<NormalMonitor>[],
  { retries, failFast, parallel, onTest }: TestOptions,
  { env, signal }: Pick<Context, 'env' | 'signal'>,
): Promise<MonitorTest[]> {
  const checks = await contextOf(env['UPTIME_DNS_SERVERS'] ?? '');
  const tests: MonitorTest[] = [];
  const stop = new AbortController();
  const stopping = AbortSignal.any([signal, stop.signal]);
  const end = (index: number, test: MonitorTest) => {
    tests[index] = test;
    onTest(test);
  };
  const queue = wanted.entries();
  const worker = async () => {
    for (const [index, item] of queue) {
      const { value: monitor } = item;
      const { name, key, type } = monitor;
      const about = { name, key, type, place: item.place('') };
      const skip = (skipped: Skipped) => end(index, { ...about, outcome: null, tookMs: 0, skipped });
      if (isPassive(monitor)) skip('waits for pings, so it cannot be tested');
      else if (monitor.paused) skip('is paused');
      else if (stopping.aborted) skip('not started: another test failed');
      else {
        const startedMonoMs = systemClock.monotonicMs();
        const outcome = await runCheck(monitor, checks, { retries: retries ?? monitor.retries, signal: stopping });
        const tookMs = systemClock.monotonicMs() - startedMonoMs;
        const test = { ...about, outcome: redact(outcome, item), tookMs, skipped: null };
        // The failure of another test stopped this check before it had a verdict. The report counts it as not started.
        if (stop.signal.aborted && outcome.verdict === 'internal') skip('not started: another test failed');
        else end(index, test);
        if (failFast && hasFailed(test)) stop.abort();
      }
    }
  };
  try {
    await Promise.all(Array.from({ length: parallel }, worker));
  } finally {
    checks.close();
  }
  return tests;
}

async function contextOf(dnsServers: string) {
  const named = dnsServers.split(',').map((one) => one.trim());
  try {
    const servers = await lookUpNameServers(named.filter(Boolean));
    return createCheckContext({ clock: systemClock, dnsServers: servers, targets: 'all' });
  } catch (error) {
    throw new CliError(`UPTIME_DNS_SERVERS is not valid: ${(error as Error).message}`, {
      exit: 'usage',
      next: 'set it to a comma list of host[:port], such as 9.9.9.9:53',
      cause: error,
    });
  }
}
