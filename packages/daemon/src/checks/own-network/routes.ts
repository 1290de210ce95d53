import { isIP } from 'node:net';

/** One line of the machine's routing table. */
export interface Route {
  family: 4 | 6;
  network: bigint;
  prefix: number;
  interface: string;
  /** Null if the destination is on the link itself. */
  gateway: string | null;
  metric: number;
  /** True if the administrator forbids traffic to the network: an unreachable, prohibit or blackhole route. */
  rejects: boolean;
}

const flag = { up: 0x1, gateway: 0x2, reject: 0x200 };
const bitsOf = { 4: 32, 6: 128 } as const;
/** The metric of the kernel's own "no route" entry in the IPv6 table. */
const noRoute = 0xffffffff;

/** Reads `/proc/net/route`: the main IPv4 table, numbers in the byte order of the machine (little endian). */
export function parseRoutes4(text: string): Route[] {
  return text
    .split('\n')
    .slice(1)
    .flatMap((line) => {
      const [device, destination, gateway, flagWord, , , metric, mask] = line.trim().split(/\s+/);
      if (device === undefined || mask === undefined) return [];
      const flags = parseInt(flagWord!, 16);
      if ((flags & flag.up) === 0) return [];
      return {
        family: 4 as const,
        network: BigInt(`0x${reversed(destination!)}`),
        prefix: onesIn(parseInt(mask, 16)),
        interface: device,
        gateway: (flags & flag.gateway) === 0 ? null : dotted(gateway!),
        metric: Number(metric),
        // A blackhole route does not have the reject flag, but its interface is `*`.
        rejects: (flags & flag.reject) !== 0 || device === '*',
      };
    });
}

/** Reads `/proc/net/ipv6_route`. Link-local and multicast routes are skipped, because they lead to no target. */
export function parseRoutes6(text: string): Route[] {
  return text.split('\n').flatMap((line) => {
    const [destination, prefix, , , gateway, metric, , , flagWord, device] = line.trim().split(/\s+/);
    if (destination === undefined || device === undefined) return [];
    const flags = parseInt(flagWord!, 16);
    const cost = parseInt(metric!, 16);
    if ((flags & flag.up) === 0 && (flags & flag.reject) === 0) return [];
    if (cost === noRoute || /^(fe[89ab]|ff)/.test(destination)) return [];
    return {
      family: 6 as const,
      network: BigInt(`0x${destination}`),
      prefix: parseInt(prefix!, 16),
      interface: device,
      gateway: (flags & flag.gateway) === 0 ? null : colons(gateway!),
      metric: cost,
      rejects: (flags & flag.reject) !== 0,
    };
  });
}

/** Returns the route that the kernel uses for an address: the longest prefix, then the lowest metric; null for none. */
export function routeTo(routes: readonly Route[], { family, value }: ParsedAddress): Route | null {
  let best: Route | null = null;
  for (const route of routes) {
    if (route.family !== family) continue;
    const shift = BigInt(bitsOf[family] - route.prefix);
    if (value >> shift !== route.network >> shift) continue;
    if (!best || route.prefix > best.prefix || (route.prefix === best.prefix && route.metric < best.metric))
      best = route;
  }
  return best;
}

/** Whether a route is a default route. */
export const isDefault = (route: Route): boolean => route.prefix === 0 && !route.rejects;

export interface ParsedAddress {
  family: 4 | 6;
  value: bigint;
}

/** Returns an address as a number; null if the text is not an address. An IPv4-mapped address becomes IPv4. */
export function parseAddress(address: string): ParsedAddress | null {
  const bare = address.replace(/%.*/, '');
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare)?.[1];
  if (mapped !== undefined) return parseAddress(mapped);
  const family = isIP(bare);
  if (family === 4) return { family, value: bytesToNumber(bare.split('.').map(Number)) };
  if (family !== 6) return null;
  // An IPv6 address may end like an IPv4 address, as in `::192.0.2.1`. That end stands for two groups.
  const plain = bare.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, a: string, b: string, c: string, d: string) =>
    [Number(a) * 256 + Number(b), Number(c) * 256 + Number(d)].map((group) => group.toString(16)).join(':'),
  );
  const [head = '', tail] = plain.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const groups = [...before, ...Array.from({ length: 8 - before.length - after.length }, () => '0'), ...after];
  return { family, value: BigInt(`0x${groups.map((group) => group.padStart(4, '0')).join('')}`) };
}

const bytesToNumber = (bytes: readonly number[]): bigint => bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);

const reversed = (hex: string) => (hex.match(/../g) ?? []).toReversed().join('');

const dotted = (hex: string) =>
  (hex.match(/../g) ?? [])
    .toReversed()
    .map((byte) => parseInt(byte, 16))
    .join('.');

const colons = (hex: string) => (hex.match(/..../g) ?? []).join(':');

function onesIn(mask: number): number {
  let ones = 0;
  for (let rest = mask >>> 0; rest !== 0; rest >>>= 1) ones += rest & 1;
  return ones;
}
