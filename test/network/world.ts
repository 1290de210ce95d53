import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../faults/until.ts';
import { createMonitors, monitorsOf, type StoredFailure } from './monitors.ts';
import { addresses, createNamespaces, type Namespaces } from './namespaces.ts';
import { type Checker, regionsOf, startChecker } from './start-checker.ts';
import type { SentTransition } from './start-daemon.ts';

export interface Transition extends Pick<SentTransition, 'to' | 'error' | 'at'> {
  name: string;
}

/** A checker behind a router, with monitors, and functions that cause faults of its network. */
export interface World extends AsyncDisposable, Pick<Namespaces, 'ip' | 'setForwarding'> {
  checker: Checker;
  transitions: readonly Transition[];
  /** The warnings of the daemon's health, or of the server's health if a probe checks. */
  warnings(): Promise<string[]>;
  /** Returns the stored results of failed checks since a time. */
  failuresSince(time: number): Promise<StoredFailure[]>;
  setResolver(mode: 'answers' | 'fails' | 'silent'): Promise<void>;
  /** Removes the address of a target, so that it is unreachable, or adds the address again. */
  setTarget(target: number, up: boolean): Promise<void>;
}

/** Creates a world, and waits until all its monitors are up. */
export async function createWorld(options: {
  checker: Checker;
  withBridge: boolean;
  interval: number;
  timeout: number;
}): Promise<World> {
  const { checker, withBridge, interval, timeout } = options;
  const namespaces = await createNamespaces({ withBridge });
  const folder = await mkdtemp(join(tmpdir(), 'uptime-network-'));
  const dispose = async () => {
    await namespaces[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const web = addresses.targets.map((address) => `web:${address}`);
    const dns = [addresses.resolver, addresses.otherNameServer].map((address) => `dns:${address}`);
    const targets = await namespaces.start('targets', 'serve-targets.ts', [...web, ...dns]);
    await namespaces.start('router', 'serve-targets.ts', [`web:${addresses.neighbour}`]);
    const monitors = monitorsOf(interval, timeout);
    const transitions: Transition[] = [];
    const onTransition = ({ monitor, to, error, at }: SentTransition) =>
      void transitions.push({ name: monitors[monitor - 1]!.name, to, error, at });
    const daemon = await startChecker(checker, namespaces, { onTransition, dataDir: folder });
    const failuresSince = await createMonitors(daemon, monitors, regionsOf[checker]);
    const isUp = ({ name }: { name: string }) => transitions.some((one) => one.name === name && one.to === 'up');
    await until('all monitors are up', 20_000, () => monitors.every(isUp));
    return {
      checker,
      transitions,
      failuresSince,
      ip: (where, ...args) => namespaces.ip(where, ...args),
      setForwarding: (on) => namespaces.setForwarding(on),
      async warnings() {
        return (await daemon.ask<{ warnings: string[] }>('GET', '/healthz')).warnings;
      },
      async setResolver(mode) {
        const done = once(targets, 'message');
        targets.send(mode);
        await done;
      },
      async setTarget(target, up) {
        await namespaces.ip('targets', 'addr', up ? 'add' : 'del', `${addresses.targets[target]!}/24`, 'dev', 'eth0');
      },
      [Symbol.asyncDispose]: dispose,
    };
  } catch (error) {
    await dispose();
    throw error;
  }
}
