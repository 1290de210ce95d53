/** How many file descriptors each part of the daemon may use. */
export interface DescriptorShares {
  /** Client connections on each listener. */
  connections: number;
  /** Checks under way. Each may need `descriptorsOfCheck`. */
  checks: number;
  /** Deliveries under way. */
  deliveries: number;
  /** Kept for the store, files, name servers and what closes late. */
  reserve: number;
}

/** A look-up and a connection, or two attempts to connect. */
export const descriptorsOfCheck = 2;
/** Listeners that clients connect to: by HTTP, and by HTTPS for custom domains. */
const listeners = 2;

/** What each part uses at most, however many descriptors there are. */
const most = { connections: 10_000, checks: 8000, deliveries: 500, reserve: 1000 };

/** Shares out the descriptors that the process may open, so that no part can take those of another. */
export function shareDescriptors(limit: number): DescriptorShares {
  const reserve = Math.min(most.reserve, Math.max(48, Math.floor(limit / 8)));
  const rest = Math.max(0, limit - reserve);
  const part = (eighths: number, each: number) => Math.max(1, Math.floor((rest * eighths) / 8 / each));
  return {
    connections: Math.min(most.connections, part(3, listeners)),
    checks: Math.min(most.checks, part(4, descriptorsOfCheck)),
    deliveries: Math.min(most.deliveries, part(1, 1)),
    reserve,
  };
}
