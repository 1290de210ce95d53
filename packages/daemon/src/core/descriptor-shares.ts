/** How many file descriptors each part of the daemon may use. */
export interface DescriptorShares {
  /** Client connections on each listener. */
  connections: number;
  /** Checks running at once. Each may need `descriptorsOfCheck`. */
  checks: number;
  /** Deliveries running at once. */
  deliveries: number;
  /** For the store, files, name servers, and connections that are slow to close. */
  reserve: number;
  /** Listeners of each address. They come from the reserve. */
  listeners: number;
}

/** The most that one check needs at once: a DNS look-up and a connection, or two attempts to connect. */
export const descriptorsOfCheck = 2;
/** Addresses for clients: one for HTTP, one for HTTPS on custom domains. */
const addresses = 2;

/** The largest share of each part, however many descriptors the process may open. */
const most = { connections: 10_000, checks: 8000, deliveries: 500, reserve: 1000, listeners: 32 };

/** Divides the file descriptors that the process may open, so that no part can use up another's share. */
export function shareDescriptors(limit: number): DescriptorShares {
  const reserve = Math.min(most.reserve, Math.max(48, Math.floor(limit / 8)));
  const rest = Math.max(0, limit - reserve);
  const part = (eighths: number, each: number) => Math.max(1, Math.floor((rest * eighths) / 8 / each));
  return {
    connections: Math.min(most.connections, part(3, addresses)),
    checks: Math.min(most.checks, part(4, descriptorsOfCheck)),
    deliveries: Math.min(most.deliveries, part(1, 1)),
    reserve,
    // All listeners together use at most half of the reserve.
    listeners: Math.min(most.listeners, Math.floor(reserve / 2 / addresses)),
  };
}
