import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ip = (...args: string[]) => run('ip', args);

export interface Namespaces extends AsyncDisposable {
  /** Runs `ip` in the namespace of the checker, the router or the targets. */
  ip(where: Place, ...args: string[]): Promise<unknown>;
  /** Lets the router forward packets, or drop them silently. */
  setForwarding(on: boolean): Promise<void>;
  /** Starts a program of this folder in a namespace, and waits until it reports `ready`. */
  start(where: Place, program: string, args: string[], listen?: (message: unknown) => void): Promise<ChildProcess>;
}

export type Place = 'checker' | 'router' | 'targets';

/** The addresses in the three namespaces: the checker, its router, and the targets and resolver beyond the router. */
export const addresses = {
  checker: '10.77.1.2',
  gateway: '10.77.1.1',
  /** A target on the checker's own link. */
  neighbour: '10.77.1.9',
  /** The server of a probe, on the probe's own link. */
  server: '10.77.1.20',
  beyond: '10.77.2.1',
  resolver: '10.77.2.53',
  otherNameServer: '10.77.2.54',
  targets: ['10.77.2.11', '10.77.2.12', '10.77.2.13', '10.77.2.14'],
} as const;

let worlds = 0;

/**
 * Creates three network namespaces in a row: checker, router, targets. `withBridge` gives the checker a second
 * interface like docker0: with the name and address of a container bridge, and a link-local address. Needs root and
 * iproute2.
 */
export async function createNamespaces({ withBridge }: { withBridge: boolean }): Promise<Namespaces> {
  const id = `${process.pid}-${worlds++}`;
  const nameOf = (place: Place) => `uptime-${place}-${id}`;
  const places: Place[] = ['checker', 'router', 'targets'];
  const children: ChildProcess[] = [];
  const inside = (place: Place, ...args: string[]) => ip('-n', nameOf(place), ...args);
  const sysctl = (place: Place, path: string, value: string) =>
    run('ip', ['netns', 'exec', nameOf(place), 'sh', '-c', `echo ${value} > /proc/sys/net/${path}`]);

  const dispose = async () => {
    for (const child of children) await endProcess(child);
    for (const place of places) await ip('netns', 'del', nameOf(place));
  };
  const link = async (a: Place, nameA: string, b: Place, nameB: string) => {
    await ip('link', 'add', nameA, 'netns', nameOf(a), 'type', 'veth', 'peer', 'name', nameB, 'netns', nameOf(b));
    await inside(a, 'link', 'set', nameA, 'up');
    await inside(b, 'link', 'set', nameB, 'up');
  };
  const give = (place: Place, device: string, ...own: string[]) =>
    Promise.all(own.map((address) => inside(place, 'addr', 'add', `${address}/24`, 'dev', device)));

  for (const place of places) {
    await ip('netns', 'add', nameOf(place));
    await inside(place, 'link', 'set', 'lo', 'up');
  }
  await link('checker', 'eth0', 'router', 'inner');
  await link('router', 'outer', 'targets', 'eth0');
  if (withBridge) {
    // A pair of linked interfaces simulates the bridge. Both ends are in the checker's namespace, because no host on
    // the bridge has to respond.
    await link('checker', 'docker0', 'checker', 'container');
    await give('checker', 'docker0', '172.17.0.1');
    await inside('checker', 'addr', 'add', '169.254.7.7/16', 'dev', 'docker0');
  }
  await give('checker', 'eth0', addresses.checker);
  await give('router', 'inner', addresses.gateway, addresses.neighbour, addresses.server);
  await give('router', 'outer', addresses.beyond);
  await give('targets', 'eth0', addresses.resolver, addresses.otherNameServer, ...addresses.targets);
  await inside('checker', 'route', 'add', 'default', 'via', addresses.gateway);
  await inside('targets', 'route', 'add', 'default', 'via', addresses.beyond);
  await sysctl('router', 'ipv4/ip_forward', '1');

  return {
    ip: inside,
    async setForwarding(on) {
      await sysctl('router', 'ipv4/ip_forward', on ? '1' : '0');
    },
    async start(place, program, args, listen = () => {}) {
      const command = ['netns', 'exec', nameOf(place), process.execPath, '--conditions=x-source'];
      const child = spawn('ip', [...command, join(import.meta.dirname, program), ...args], {
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      });
      children.push(child);
      await new Promise<void>((resolve, reject) => {
        child.on('message', (message) => (message === 'ready' ? resolve() : listen(message)));
        child.once('exit', (code) => reject(new Error(`${program} ended with ${code} before it was ready.`)));
      });
      return child;
    },
    [Symbol.asyncDispose]: dispose,
  };
}

async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}
