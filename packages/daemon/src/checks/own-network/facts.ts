import { existsSync, readFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { codeOf } from '../failure.ts';
import { isDefault, parseAddress, parseRoutes4, parseRoutes6, type Route, routeTo } from './routes.ts';

/** A network interface of the machine. */
export interface Link {
  /** False if the cable is unplugged or the interface is down. */
  up: boolean;
  /** The families in which the interface has an address that is neither loopback nor link-local. */
  families: readonly (4 | 6)[];
  /** True for a virtual switch of this machine, such as docker0. */
  isBridge: boolean;
}

/** The facts: what this machine's kernel says about its own network. */
export interface Facts {
  routes: readonly Route[];
  links: ReadonlyMap<string, Link>;
  /** The machine's own addresses. */
  own: ReadonlySet<string>;
}

/**
 * How an address is reached. `local`: without leaving this machine. `rejected`: a route forbids traffic to the address.
 * `none`: no route leads to the address.
 */
export type HostRoute =
  | { kind: 'local' | 'rejected'; key: string }
  | { kind: 'none'; key: string; family: 4 | 6 }
  | { kind: 'route'; key: string; family: 4 | 6; route: Route };

/** Longest routing table that is parsed, in characters. A machine with a longer table is a router. */
const maxTableCharacters = 512 * 1024;

export type Interfaces = () => ReturnType<typeof networkInterfaces>;

/** The sources of the facts: Linux's /proc and /sys below `root`, and the interfaces with their addresses. */
export interface FactSources {
  root: string;
  interfaces: Interfaces;
}

export const systemSources: FactSources = { root: '/', interfaces: networkInterfaces };

/**
 * Error codes that mean that the facts cannot be read now, for example because the process has no descriptors left.
 */
const refusals = new Set(['EMFILE', 'ENFILE', 'ENOMEM', 'ENOBUFS', 'ERR_SYSTEM_ERROR']);

/** Returns the facts; null if they cannot be read now. */
export function readFacts(sources: FactSources): Facts | null {
  try {
    return gatherFacts(sources);
  } catch (error) {
    if (refusals.has(codeOf(error))) return null;
    throw error;
  }
}

/** Reads the facts. If the routing table cannot be read, assumes a default route for each family with an address. */
function gatherFacts({ root, interfaces }: FactSources): Facts {
  const table4 = readText(`${root}/proc/net/route`);
  const found = Object.entries(interfaces());
  const own = new Set(found.flatMap(([, addresses]) => addresses?.map(({ address }) => address) ?? []));
  const families = new Map(found.map(([name, addresses]) => [name, familiesOf(addresses ?? [])]));
  if (table4 === null || table4.length > maxTableCharacters) return { ...assumedRoutes(families), own };
  const table6 = readText(`${root}/proc/net/ipv6_route`) ?? '';
  const routes = [...parseRoutes4(table4), ...(table6.length > maxTableCharacters ? [] : parseRoutes6(table6))];
  const names = new Set(routes.map((route) => route.interface).filter((name) => name !== '*' && name !== 'lo'));
  const links = new Map<string, Link>();
  for (const name of names) {
    const folder = `${root}/sys/class/net/${name}`;
    const down = readText(`${folder}/carrier`)?.trim() === '0' || isDown(readText(`${folder}/operstate`));
    links.set(name, { up: !down, families: families.get(name) ?? [], isBridge: existsSync(`${folder}/bridge`) });
  }
  return { routes, links, own };
}

const isDown = (state: string | null) =>
  state !== null && ['down', 'lowerlayerdown', 'notpresent', 'dormant'].includes(state.trim());

function assumedRoutes(families: ReadonlyMap<string, readonly (4 | 6)[]>): Pick<Facts, 'routes' | 'links'> {
  const known = ([4, 6] as const).filter((family) => [...families.values()].some((found) => found.includes(family)));
  return {
    routes: known.map((family) => ({
      family,
      network: 0n,
      prefix: 0,
      interface: 'network',
      gateway: 'unknown',
      metric: 0,
      rejects: false,
    })),
    links: new Map([['network', { up: true, families: known, isBridge: false }]]),
  };
}

const familiesOf = (addresses: readonly { address: string; family: string; internal: boolean }[]): (4 | 6)[] => {
  const usable = addresses.filter(
    ({ address, internal }) => !internal && !address.startsWith('169.254.') && !/^fe[89ab]/i.test(address),
  );
  return ([4, 6] as const).filter((family) => usable.some((one) => one.family === `IPv${family}`));
};

/** Returns how `address` is reached. The key of a route contains its interface and gateway. */
export function routeToHost(facts: Facts, address: string): HostRoute {
  const parsed = parseAddress(address);
  if (!parsed || isLoopback(address) || facts.own.has(address)) return { kind: 'local', key: 'local' };
  const route = routeTo(facts.routes, parsed);
  const { family } = parsed;
  if (!route) return { kind: 'none', key: `IPv${family} without a route`, family };
  if (route.rejects) return { kind: 'rejected', key: 'rejected' };
  if (route.interface === 'lo') return { kind: 'local', key: 'local' };
  // Containers and virtual machines on a virtual switch are on this machine, so its network cannot be at fault.
  if (route.gateway === null && facts.links.get(route.interface)?.isBridge) return { kind: 'local', key: 'local' };
  return { kind: 'route', key: keyOf(route), family, route };
}

const keyOf = ({ family, interface: device, gateway }: Route) =>
  gateway === null ? onLink(device, family) : `${device}, IPv${family} gateway ${gateway}`;

/** Returns the key of the route to the neighbours on a link. */
export const onLink = (device: string, family: 4 | 6): string => `${device}, IPv${family} on the link`;

export const defaultRoutes = (facts: Facts): Route[] => facts.routes.filter(isDefault);

/**
 * Describes why a link does not work for an address family; null if it works. An interface without information counts
 * as working.
 */
export function linkFault(facts: Facts, device: string, family: 4 | 6): string | null {
  const link = facts.links.get(device);
  if (!link) return null;
  if (!link.up) return `its interface ${device} is down or has no carrier`;
  if (!link.families.includes(family)) return `its interface ${device} has no IPv${family} address`;
  return null;
}

/**
 * Returns why this machine cannot reach an address, according to the facts; null if they show no reason. The result
 * completes the sentence "this machine has no network: …". `hadDefault`: the address families that had a
 * default route at any time (see `FactsLog`).
 */
export function localFault(facts: Facts, hadDefault: ReadonlySet<4 | 6>, hostRoute: HostRoute): string | null {
  if (hostRoute.kind === 'route') return linkFault(facts, hostRoute.route.interface, hostRoute.family);
  if (hostRoute.kind !== 'none') return null;
  if (hadDefault.has(hostRoute.family)) return `its IPv${hostRoute.family} default route is gone`;
  return defaultRoutes(facts).length === 0 ? 'it has no default route' : null;
}

export const isLoopback = (address: string): boolean => /^(127\.|::1$|::ffff:127\.|0\.0\.0\.0$|::$)/i.test(address);

/**
 * Returns the text of a file of /proc or /sys. Null if the file is missing, or if the kernel refuses because the
 * interface is down. Throws if the process has no descriptors left.
 */
function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === '' || refusals.has(codeOf(error))) throw error;
    return null;
  }
}
