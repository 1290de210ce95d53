import { once } from 'node:events';
import { addresses, createNamespaces, type Namespaces } from './namespaces.ts';

export interface Transition {
  name: string;
  to: string;
  error: { code: string; message: string } | null;
  at: number;
}

/** A daemon behind a router, with monitors, and functions that cause faults of its network. */
export interface World extends AsyncDisposable, Pick<Namespaces, 'ip' | 'setForwarding'> {
  transitions: readonly Transition[];
  /** The number of monitors. */
  monitors: number;
  /** The warnings of the daemon's health. */
  warnings(): Promise<string[]>;
  setResolver(mode: 'answers' | 'fails' | 'silent'): Promise<void>;
  /** Makes a target unreachable without an error, or reachable again. */
  setTarget(target: number, up: boolean): Promise<void>;
}

const [first, second, third] = addresses.targets;

/** Monitors by address and by name, beyond the router and on the checker's link. `t1` to `t4` name the targets. */
const monitorsOf = (interval: number, timeout: number) =>
  [
    { name: 'http by address', type: 'http', url: `http://${first}/` },
    { name: 'http by name', type: 'http', url: 'http://t2.alpha.test/' },
    { name: 'tcp by address', type: 'tcp', host: third, port: 80 },
    { name: 'ping by name', type: 'ping', host: 't4.beta.test' },
    { name: 'dns', type: 'dns', hostname: 't2.gamma.test' },
    { name: 'dns of another server', type: 'dns', hostname: 't2.delta.test', nameserver: addresses.otherNameServer },
    { name: 'http on the link', type: 'http', url: `http://${addresses.neighbour}/` },
    { name: 'http of the second', type: 'http', url: `http://${second}/` },
  ].map((monitor) => ({ ...monitor, interval, timeout }));

export async function createWorld(options: {
  withBridge: boolean;
  interval: number;
  timeout: number;
  env?: Record<string, string>;
}): Promise<World> {
  const { withBridge, interval, timeout, env = {} } = options;
  const namespaces = await createNamespaces({ withBridge });
  try {
    const web = addresses.targets.map((address) => `web:${address}`);
    const dns = [addresses.resolver, addresses.otherNameServer].map((address) => `dns:${address}`);
    const targets = await namespaces.start('targets', 'serve-targets.ts', [...web, ...dns]);
    await namespaces.start('router', 'serve-targets.ts', [`web:${addresses.neighbour}`]);
    const monitors = monitorsOf(interval, timeout);
    const settings = { UPTIME_DNS_SERVERS: addresses.resolver, ...env };
    const transitions: Transition[] = [];
    const daemon = await namespaces.start(
      'checker',
      'serve-daemon.ts',
      [JSON.stringify({ monitors, env: settings })],
      (message) => {
        const transition = message as Transition & { kind: string };
        if (transition.kind === 'transition') transitions.push(transition);
      },
    );
    return {
      transitions,
      monitors: monitors.length,
      ip: (where, ...args) => namespaces.ip(where, ...args),
      setForwarding: (on) => namespaces.setForwarding(on),
      async warnings() {
        const warnings = new Promise<string[]>((resolve) => {
          const listen = (message: { kind: string; warnings: string[] }) => {
            if (message.kind !== 'warnings') return;
            daemon.off('message', listen);
            resolve(message.warnings);
          };
          daemon.on('message', listen);
        });
        daemon.send('warnings');
        return warnings;
      },
      async setResolver(mode) {
        const done = once(targets, 'message');
        targets.send(mode);
        await done;
      },
      async setTarget(target, up) {
        await namespaces.ip('targets', 'addr', up ? 'add' : 'del', `${addresses.targets[target]!}/24`, 'dev', 'eth0');
      },
      [Symbol.asyncDispose]: () => namespaces[Symbol.asyncDispose](),
    };
  } catch (error) {
    await namespaces[Symbol.asyncDispose]();
    throw error;
  }
}
