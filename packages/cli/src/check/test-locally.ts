import { type CheckOutcome, createCheckContext, runCheck, systemClock } from '@uptime/daemon/checks';
import type { NormalMonitor } from '@uptime/sdk/contract';
import type { Context } from '../context.ts';
import type { Wanted } from '../manifest/item.ts';
import { redact } from './redact.ts';

export interface Tested {
  name: string;
  key: string | null;
  type: string;
  outcome: CheckOutcome;
}

/** Most checks under way at once. */
const concurrency = 16;

/** Runs the daemon's own checks on every active monitor, in the order of the manifest; asks no server. */
export async function testLocally(
  wanted: readonly Wanted<NormalMonitor>[],
  { env, signal }: Pick<Context, 'env' | 'signal'>,
): Promise<{ tested: Tested[]; passive: number; paused: number }> {
  const dnsServers = (env['UPTIME_DNS_SERVERS'] ?? '').split(',').map((one) => one.trim());
  const checks = createCheckContext({ clock: systemClock, dnsServers: dnsServers.filter(Boolean), targets: 'all' });
  const tested: Tested[] = [];
  const paused = wanted.filter(({ value }) => value.paused && value.type !== 'heartbeat').length;
  const queue = wanted.filter(({ value }) => value.type !== 'heartbeat' && !value.paused).entries();
  const worker = async () => {
    for (const [index, item] of queue) {
      const { value: monitor } = item;
      if (monitor.type === 'heartbeat') continue;
      const { name, key, type, retries } = monitor;
      const outcome = redact(await runCheck(monitor, checks, { retries, signal }), item);
      tested[index] = { name, key, type, outcome };
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return { tested, passive: wanted.filter(({ value }) => value.type === 'heartbeat').length, paused };
}
