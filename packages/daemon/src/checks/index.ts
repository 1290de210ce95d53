import type { MonitorFields } from '@uptime/sdk/contract';
import packageJson from '../../package.json' with { type: 'json' };
import type { Clock } from '../deps.ts';
import { wait } from '../wait.ts';
import { createBrotli } from './brotli.ts';
import { createByteBudget } from './byte-budget.ts';
import type { ActiveType, Check, CheckContext, CheckOutcome } from './check.ts';
import { checkDns } from './dns.ts';
import { oneLine } from './failure.ts';
import { checkHttp } from './http.ts';
import { checkPing } from './ping.ts';
import { nameServersOf } from './name-server-lists.ts';
import { createOwnNetwork, type GatewayCheck } from './own-network/own-network.ts';
import { createResolver } from './resolver.ts';
import { createTargetGuard, type TargetPolicy } from './targets.ts';
import { checkTcp } from './tcp.ts';
import { sharedSecureContext } from './tls.ts';

export type { ActiveType, Check, CheckContext, CheckOutcome, SeenCertificate, Timings, TraceStep } from './check.ts';
export { systemClock } from '../deps.ts';
export { lookUpNameServers } from './name-servers.ts';
export type { GatewayCheck } from './own-network/own-network.ts';
export type { TargetPolicy } from './targets.ts';

/** The check of each monitor type. */
export const checks = { http: checkHttp, dns: checkDns, tcp: checkTcp, ping: checkPing } satisfies {
  [T in ActiveType]: Check<T>;
};

/** Time between a failed check and its retry. */
const recheckDelayMs = 1000;

/**
 * Creates the context that all checks of a process share. `dnsServers` are the name servers to ask (`address[:port]`);
 * if the list is empty, checks ask the system's name servers. `targets` says which addresses may be checked.
 * `gatewayCheck` says how a fault of the checker's own network is detected. `close` ends running look-ups, so that the
 * process can exit. Throws for an invalid name server address.
 */
export function createCheckContext(options: {
  clock: Clock;
  dnsServers: readonly string[];
  targets: TargetPolicy;
  gatewayCheck?: GatewayCheck;
}): CheckContext & { close: () => void } {
  const { clock, dnsServers, gatewayCheck = 'auto' } = options;
  const network = createOwnNetwork({ clock, gatewayCheck, nameServers: () => nameServersOf(dnsServers) });
  const resolver = createResolver({ clock, servers: dnsServers, network });
  return {
    clock,
    resolver,
    network,
    close: () => resolver.close(),
    blockList: createTargetGuard(options.targets),
    secureContext: sharedSecureContext(),
    brotli: createBrotli(clock),
    memory: createByteBudget(),
    userAgent: `uptime/${packageJson.version}`,
  };
}

/**
 * Checks a monitor. A failed check is repeated up to `retries` times, a second apart, before it counts as failed. Never
 * throws. `signal` aborts the check within a quarter of a second; the outcome is then `internal`. The memory of the
 * check counts toward the share of `project` (byte-budget.ts).
 *
 * @example const context = createCheckContext({ clock: systemClock, dnsServers: [], targets: 'all' }); const outcome =
 * await runCheck(monitor, context, { retries: monitor.retries });
 */
export async function runCheck(
  monitor: MonitorFields<ActiveType>,
  context: CheckContext,
  options: { retries?: number; signal?: AbortSignal; project?: string } = {},
): Promise<CheckOutcome> {
  const { retries = 0, signal, project } = options;
  const own = signal ? { ...context, signal, project } : context;
  const startedMonoMs = context.clock.monotonicMs();
  let outcome = await once(monitor, own);
  for (let retry = 1; retry <= retries && outcome.verdict === 'down'; retry++) {
    const again = await waitUnlessAborted(own, recheckDelayMs);
    if (!again) break;
    const offset = Math.round(context.clock.monotonicMs() - startedMonoMs);
    const next = await once(monitor, own);
    const later = next.trace.map(({ at, event }) => ({ at: at + offset, event }));
    outcome = {
      ...next,
      trace: [...outcome.trace, { at: offset, event: `re-check ${retry} of ${retries}` }, ...later],
    };
  }
  return outcome;
}

/** Checks a monitor once, without retries. The cast is safe, because a monitor fits the check of its type. */
async function once(monitor: MonitorFields<ActiveType>, context: CheckContext): Promise<CheckOutcome> {
  const check = checks[monitor.type] as Check<ActiveType>;
  try {
    return await check(monitor, context);
  } catch (error) {
    return internalOutcome(`the checker failed: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Returns the outcome of a check that could not be carried out. */
export function internalOutcome(message: string): CheckOutcome {
  return {
    verdict: 'internal',
    error: { code: 'internal', message: oneLine(message) },
    responseTime: null,
    statusCode: null,
    timings: null,
    certificate: null,
    trace: [],
  };
}

/**
 * Waits `ms`, and returns whether the check may go on. It waits in four parts, so that it notices an abort soon without
 * adding a listener to the signal for each check.
 */
async function waitUnlessAborted(context: CheckContext, ms: number): Promise<boolean> {
  for (let quarter = 0; quarter < 4 && !context.signal?.aborted; quarter++) await wait(context.clock, ms / 4);
  return !context.signal?.aborted;
}
