import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type NetConnectOpts, type Socket } from 'node:net';

/** A TCP proxy on loopback that simulates network failures. */
export interface TcpProxy {
  port: number;
  /** How many connections were accepted. */
  accepted(): number;
  /** Drops all data from now on, on open and new connections. Closes no connection. */
  swallow(): void;
  /** Ends `swallow` for new connections. Connections that were already open still drop all data. */
  heal(): void;
  /** Delays each piece of data to the upstream by this many milliseconds. */
  delay(ms: number): void;
  /**
   * Holds back all data that the upstream sends from now on. Waits until the first of this data has arrived. Then
   * resolves with a function that forwards all held data and ends the hold.
   */
  hold(): Promise<() => void>;
  /** Resets all connections, so that they end without a proper close. */
  cut(): void;
  close(): Promise<void>;
}

/** Starts a proxy that forwards to a listener on a Unix socket or a port. */
export async function startTcpProxy(upstream: string | NetConnectOpts): Promise<TcpProxy> {
  const pairs = new Set<{ near: Socket; far: Socket }>();
  const dead = new WeakSet<Socket>();
  let swallowing = false;
  let delayMs = 0;
  let accepted = 0;
  const held = createHold();
  const server = createServer((near) => {
    accepted++;
    const far = typeof upstream === 'string' ? connect(upstream) : connect(upstream);
    const pair = { near, far };
    pairs.add(pair);
    if (swallowing) dead.add(near);
    const forward = (from: Socket, to: Socket, waitMs: () => number) => {
      from.on('data', (data) => {
        if (dead.has(near)) return;
        if (from === far && held.keep(() => to.write(data))) return;
        if (waitMs() === 0) to.write(data);
        else setTimeout(() => to.writable && to.write(data), waitMs());
      });
      from.on('end', () => {
        if (!dead.has(near)) to.end();
      });
      from.on('error', () => to.destroy());
      from.on('close', () => {
        pairs.delete(pair);
        to.destroy();
      });
    };
    forward(near, far, () => delayMs);
    forward(far, near, () => 0);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    accepted: () => accepted,
    swallow() {
      swallowing = true;
      for (const { near } of pairs) dead.add(near);
    },
    heal: () => void (swallowing = false),
    delay: (ms) => void (delayMs = ms),
    hold: () => held.begin(),
    cut() {
      for (const { near } of pairs) near.resetAndDestroy();
    },
    async close() {
      const ended = once(server, 'close');
      server.close();
      for (const { near, far } of pairs) {
        near.destroy();
        far.destroy();
      }
      await ended;
    },
  };
}

/**
 * Creates a hold. Calling `begin` starts to hold back writes. `begin` resolves with the function that ends the hold.
 */
function createHold() {
  let held: { writes: (() => void)[]; arrived: () => void } | null = null;
  return {
    /** Holds back this write if a hold is active. Returns whether it was held back. */
    keep(write: () => void): boolean {
      held?.writes.push(write);
      held?.arrived();
      return held !== null;
    },
    begin: () =>
      new Promise<() => void>((resolve) => {
        const writes: (() => void)[] = [];
        const handOn = () => {
          held = null;
          for (const write of writes) write();
        };
        held = { writes, arrived: () => resolve(handOn) };
      }),
  };
}
