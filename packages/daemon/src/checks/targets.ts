import { BlockList, isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';

/**
 * `all`: loopback and private addresses may be checked too. `public-only`: only addresses that the whole internet can
 * reach.
 */
export type TargetPolicy = 'all' | 'public-only';

type Range = readonly [network: string, prefix: number];

/** Link-local networks, and the addresses where clouds serve credentials to every caller. They are never targets. */
const always4: readonly Range[] = [
  ['169.254.0.0', 16],
  ['100.100.100.200', 32],
  ['168.63.129.16', 32],
  ['192.0.0.192', 32],
];
const always6: readonly Range[] = [
  ['fe80::', 10],
  ['fd00:ec2::', 32],
  ['fd20:ce::254', 128],
  ['fd00:42::42', 128],
  ['fd00:c1::a9fe:a9fe', 128],
];

/**
 * Networks that are not globally reachable: https://www.iana.org/assignments/iana-ipv4-special-registry and the same
 * list for IPv6.
 */
const special4: readonly Range[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];
const special6: readonly Range[] = [
  ['::', 128],
  ['::1', 128],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['100:0:0:1::', 64],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['3fff::', 20],
  ['5f00::', 16],
  ['fc00::', 7],
  ['fec0::', 10],
  ['ff00::', 8],
];

/** Returns this machine's own addresses. They are not public targets, even if the internet can reach them. */
const ownAddresses = (): string[] =>
  Object.values(networkInterfaces()).flatMap((addresses) => (addresses ?? []).map(({ address }) => address));

/** Returns the addresses that checks never connect to, for the `blockList` of `net.connect`. */
export function createTargetGuard(policy: TargetPolicy, own: readonly string[] = ownAddresses()): BlockList {
  const list = new BlockList();
  const ranges4 = policy === 'all' ? always4 : [...always4, ...special4];
  const ranges6 = policy === 'all' ? always6 : [...always6, ...special6];
  for (const [network, prefix] of ranges4) {
    list.addSubnet(network, prefix, 'ipv4');
    for (const [embedded, bits] of embeddings(network)) list.addSubnet(embedded, bits + prefix, 'ipv6');
  }
  for (const [network, prefix] of ranges6) list.addSubnet(network, prefix, 'ipv6');
  if (policy === 'public-only') for (const address of own) refuseAddress(list, address);
  return list;
}

function refuseAddress(list: BlockList, address: string): void {
  const bare = address.replace(/%.*/, '');
  if (isIPv6(bare)) return list.addAddress(bare, 'ipv6');
  list.addAddress(bare, 'ipv4');
  for (const [embedded, bits] of embeddings(bare)) list.addSubnet(embedded, bits + 32, 'ipv6');
}

/**
 * Returns the IPv6 networks that lead to an IPv4 network: NAT64, 6to4, IPv4-translated (RFC 2765) and the old
 * IPv4-compatible addresses. BlockList itself recognizes IPv4-mapped addresses.
 */
function embeddings(network: string): Range[] {
  const [a, b, c, d] = network.split('.').map(Number) as [number, number, number, number];
  const high = ((a << 8) | b).toString(16);
  const low = ((c << 8) | d).toString(16);
  const compatible: Range[] = a === 0 ? [] : [[`::${high}:${low}`, 96]];
  return [
    [`64:ff9b::${high}:${low}`, 96],
    [`2002:${high}:${low}::`, 16],
    [`::ffff:0:${high}:${low}`, 96],
    ...compatible,
  ];
}
