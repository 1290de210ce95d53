import { networkOf } from './network-of.ts';

/**
 * A turn of the event loop is crowded if at least this part of the listeners accepts a connection in that turn.
 * Connections then wait on most listeners.
 */
const crowdedPart = 0.75;
/** How long busy networks are refused after the last crowded turn. */
const refusedForMs = 2000;
/**
 * During a flood, a network may open `burst` connections at once, and then `perSecond` in each second. `burst` is
 * large, because thousands of jobs behind one address may ping in the same second, and no ping may be refused.
 */
const burst = 10_000;
const perSecond = 500;
/** If no other network connected for this time, a network is not refused, because it may be a proxy for all clients. */
const aloneAfterMs = 600_000;
/**
 * Maximum number of networks that are remembered. Beyond it, the gate forgets the network that connected longest ago.
 */
const maxNetworks = 10_000;

export interface FloodGateOptions {
  /** The time of a monotonic clock, in milliseconds. */
  monotonicMs: () => number;
  /** Whether a network has many connections open now. */
  holdsMany: (network: string) => boolean;
}

/** The number of connections that a network could still open at `atMonoMs`. */
interface Allowance {
  left: number;
  atMonoMs: number;
}

/**
 * Returns a function that says whether to refuse a new connection. Call the function once for each new connection,
 * before any other work for it.
 * While more connections arrive than the listeners accept, the function refuses networks that connect very often or
 * hold many connections. Otherwise other networks would wait behind them. Each network has an allowance of connections,
 * which refills slowly. A network that floods the server uses up its allowance. While the flood lasts, the network can
 * then open only as many connections as the allowance refills, even if it waits between bursts.
 */
export function createFloodGate(
  listeners: number,
  { monotonicMs, holdsMany }: FloodGateOptions,
): (address: string) => boolean {
  const crowd = listeners * crowdedPart;
  let acceptedInTurn = 0;
  let refusesUntilMonoMs = -Infinity;
  let latest = '';
  let latestMonoMs = -Infinity;
  /** Time of the last connection from a network other than `latest`. */
  let otherMonoMs = -Infinity;
  const takeOne = createAllowances();

  const endTurn = () => {
    if (acceptedInTurn >= crowd) refusesUntilMonoMs = monotonicMs() + refusedForMs;
    acceptedInTurn = 0;
  };

  return (address) => {
    if (acceptedInTurn++ === 0) setImmediate(endTurn);
    const nowMonoMs = monotonicMs();
    const network = networkOf(address);
    if (network !== latest) otherMonoMs = latestMonoMs;
    [latest, latestMonoMs] = [network, nowMonoMs];
    const mayOpen = takeOne(network, nowMonoMs);
    const isFlood = nowMonoMs < refusesUntilMonoMs && nowMonoMs - otherMonoMs < aloneAfterMs;
    return isFlood && (!mayOpen || holdsMany(network));
  };
}

/**
 * Returns a function that takes one connection from a network's allowance. It returns false if the allowance is used
 * up.
 */
function createAllowances(): (network: string, nowMonoMs: number) => boolean {
  /** The allowance of each network, in the order of the networks' latest connections. */
  const allowances = new Map<string, Allowance>();
  return (network, nowMonoMs) => {
    const known = allowances.get(network);
    const refilled = known ? known.left + ((nowMonoMs - known.atMonoMs) * perSecond) / 1000 : burst;
    const left = Math.min(burst, refilled);
    allowances.delete(network);
    allowances.set(network, { left: left < 1 ? left : left - 1, atMonoMs: nowMonoMs });
    if (allowances.size > maxNetworks) {
      const [oldest] = allowances.keys();
      allowances.delete(oldest!);
    }
    return left >= 1;
  };
}
