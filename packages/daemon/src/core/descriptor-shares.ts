/** How many file descriptors each part of the daemon may use. */
export interface DescriptorShares {
  /** Client connections on each listener. */
  connections: number;
  /** Checks running at once. Each may need `descriptorsOfCheck`. */
  checks: number;
  /** Deliveries running at once. */
  deliveries: number;
  /** Reserved for the store, files, name servers and late closing. */
  reserve: number;
  /** Listeners of each address. They come from the reserve. */
  listeners: number;
}

/** A look-up and a connection, or two attempts to connect. */
export const descriptorsOfCheck = 2;
/** Addresses for clients: one for HTTP, one for HTTPS on custom domains. */
const addresses = 2;

/** Maximum number of descriptors of each part, however many there are. */
const most = { connections: 10_000, checks: 8000, deliveries: 500, reserve: 1000, listeners: 32 };

/** Divides the descriptors of the process, so that no part can take another's. */
export function shareDescriptors(limit: number): DescriptorShares {
  const reserve = Math.min(most.reserve, Math.max(48, Math.floor(limit / 8)));
  const rest = Math.max(0, limit - reserve);
  const part = (eighths: number, each: number) => Math.max(1, Math.floor((rest * eighths) / 8 / each));
  return {
    connections: Math.min(most.connections, part(3, addresses)),
    checks: Math.min(most.checks, part(4, descriptorsOfCheck)),
    deliveries: Math.min(most.deliveries, part(1, 1)),
    reserve,
    // At most half of the reserve for all addresses.
    listeners: Math.min(most.listeners, Math.floor(reserve / 2 / addresses)),
  };
}
