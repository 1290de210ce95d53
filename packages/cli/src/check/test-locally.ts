import { type CheckOutcome, createCheckContext, lookUpNameServers, runCheck, systemClock } from '@uptime/daemon/checks';
import { isPassive, type NormalMonitor } from '@uptime/sdk/contract';
import type { Context } from '../context.ts';
import { CliError } from '../exit.ts';
import type { Wanted } from '../manifest/item.ts';
import { redact } from './redact.ts';

export interface Tested {
  name: string;
  key: string | null;
  type: string;
  outcome: CheckOutcome;
}

/** The most checks at once. */
const concurrency = 16;

/** Runs the daemon's checks for every active monitor, in the order of the manifest, without a server. */
export async function testLocally(
  wanted: readonly Wanted<NormalMonitor>[],
  { env, signal }: Pick<Context, 'env' | 'signal'>,
): Promise<{ tested: Tested[]; passive: number; paused: number }> {
  const checks = await contextOf(env['UPTIME_DNS_SERVERS'] ?? '');
  const tested: Tested[] = [];
  const paused = wanted.filter(({ value }) => value.paused && !isPassive(value)).length;
  const queue = wanted.filter(({ value }) => !isPassive(value) && !value.paused).entries();
  const worker = async () => {
    for (const [index, item] of queue) {
      const { value: monitor } = item;
      if (isPassive(monitor)) continue;
      const { name, key, type, retries } = monitor;
      const outcome = redact(await runCheck(monitor, checks, { retries, signal }), item);
      tested[index] = { name, key, type, outcome };
    }
  };
  try {
    await Promise.all(Array.from({ length: concurrency }, worker));
  } finally {
    checks.close();
  }
  return { tested, passive: wanted.filter(({ value }) => isPassive(value)).length, paused };
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
