import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { NetworkInterfaceInfo } from 'node:os';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { createOwnNetwork, type GatewayCheck } from '../checks/own-network/own-network.ts';
import { createFakeClock } from './fake-clock.ts';

// The routes of a machine at 10.77.1.2 with the gateway 10.77.1.1 and a container bridge, as in /proc/net/route.
const head = 'Iface	Destination	Gateway 	Flags	RefCnt	Use	Metric	Mask		MTU	Window	IRTT\n';
export const lines = {
  default: 'eth0	00000000	01014D0A	0003	0	0	0	00000000	0	0	0\n',
  link: 'eth0	00014D0A	00000000	0001	0	0	0	00FFFFFF	0	0	0\n',
  bridge: 'docker0	000011AC	00000000	0001	0	0	0	0000FFFF	0	0	0\n',
  side: 'eth0	00004F0A	FE014D0A	0003	0	0	0	0000FFFF	0	0	0\n',
  reject: '*	00004E0A	00000000	0201	0	0	0	0000FFFF	0	0	0\n',
};
export const all = lines.default + lines.link + lines.bridge + lines.side + lines.reject;

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'uptime-proc-'));
});
afterAll(() => rm(root, { recursive: true }));

/** Creates a fake system. It reports the routes and interfaces that the test sets. */
async function fakeSystem() {
  const interfaces: NodeJS.Dict<NetworkInterfaceInfo[]> = {};
  let refuses = false;
  const put = async (path: string, text: string) => {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  };
  const addresses = (device: string, ...given: string[]) => {
    interfaces[device] = given.map((address) => ({
      address,
      family: 'IPv4',
      internal: false,
      netmask: '255.255.255.0',
      mac: '00:00:00:00:00:01',
      cidr: `${address}/24`,
    }));
  };
  const carrier = (device: string, up: boolean) => put(`sys/class/net/${device}/carrier`, up ? '1\n' : '0\n');
  const routes = (text: string) => put('proc/net/route', head + text);
  await put('sys/class/net/docker0/bridge/id', '');
  await put('proc/net/ipv6_route', '');
  await Promise.all([routes(all), carrier('eth0', true), carrier('docker0', true)]);
  addresses('eth0', '10.77.1.2');
  addresses('docker0', '172.17.0.1');
  const sources = {
    root,
    interfaces() {
      if (!refuses) return interfaces;
      // Node throws this error in a process that has no free file descriptors.
      const message = 'A system error occurred: uv_interface_addresses returned Unknown system error 24';
      throw Object.assign(new Error(message), { code: 'ERR_SYSTEM_ERROR', errno: 24 });
    },
  };
  return { sources, addresses, carrier, routes, refuse: (now: boolean) => void (refuses = now) };
}

/**
 * Creates a machine whose routes, interfaces and reachable hosts the test changes. Its `network` finds faults of the
 * machine's own network, as in a daemon.
 */
export async function machine({
  gatewayCheck = 'auto',
  nameServers = [],
}: { gatewayCheck?: GatewayCheck; nameServers?: string[] } = {}) {
  const clock = createFakeClock();
  const answering = new Set<string>();
  const contacted: string[] = [];
  const { sources, ...system } = await fakeSystem();
  const network = createOwnNetwork({
    clock,
    gatewayCheck,
    nameServers: () => nameServers.map((address) => ({ address, port: 53 })),
    sources,
    contact: ({ address }, answered) => {
      contacted.push(address);
      if (answering.has(address)) queueMicrotask(answered);
      return () => {};
    },
  });
  /**
   * Simulates a check that takes a second and reaches none of the addresses. Returns the fault that `network` finds.
   */
  const fail = async (...targets: string[]) => {
    const begunMonoMs = clock.monotonicMs();
    await clock.advance(1000);
    const fault = network.faultOf(targets, begunMonoMs);
    await clock.advance(1000);
    return fault;
  };
  const recordAnswers = (...hosts: string[]) => {
    for (const host of hosts) network.recordAnswer(host, 80);
  };
  return { clock, network, answering, contacted, fail, recordAnswers, ...system };
}
