import { connect, isIP, type Socket } from 'node:net';
import { CheckFailure, interrupted } from './failure.ts';
import type { Address } from './hosts-file.ts';
import { asciiHost } from './resolver.ts';
import { elapsedMs, note, type Run, spent } from './run.ts';
import { blocked, socketFailure } from './system-errors.ts';

/** How long a connection to one address may take before the next address is tried in parallel (RFC 8305). */
const attemptDelayMs = 250;
/** Maximum number of addresses that one check tries. */
const maxAddresses = 12;

/** Maximum number of characters of a failure's message. */
const maxMessageLength = 300;

/**
 * If the addresses fail for different reasons, the check gets the code that comes first in this list. `internal` is
 * first. It means that this machine failed at one address. The target may work there, so the check must not give a
 * verdict. The other codes follow, the most informative about the target first.
 */
const telling = ['internal', 'connect_refused', 'reset', 'connect_timeout', 'unreachable', 'blocked_target'];

/**
 * Resolves a host and connects to the first of its addresses that accepts. IPv6 and IPv4 addresses take turns. If no
 * address accepts, throws a CheckFailure and leaves no socket open. The caller destroys the returned socket.
 */
export async function dial(run: Run, host: string, port: number): Promise<Socket> {
  run.peers = [];
  run.answered = null;
  const name = asciiHost(host);
  const family = isIP(name);
  if (family === 4 || family === 6) return race(run, [{ address: name, family }], port);
  const fromMonoMs = run.context.clock.monotonicMs();
  const found = await run.context.resolver.addresses(name, run.deadline).finally(() => spent(run, 'dns', fromMonoMs));
  const addresses = alternateFamilies(found);
  note(run, `${name} is at ${addresses.map(({ address }) => address).join(', ')}`);
  return race(run, addresses, port);
}

/** Returns IPv6 and IPv4 addresses alternately, IPv6 first. So a broken family costs only one `attemptDelayMs`. */
function alternateFamilies(addresses: readonly Address[]): Address[] {
  const first = addresses.filter(({ family }) => family === 6);
  const second = addresses.filter(({ family }) => family === 4);
  const turns: Address[] = [];
  for (let i = 0; i < Math.max(first.length, second.length); i++)
    turns.push(...first.slice(i, i + 1), ...second.slice(i, i + 1));
  return turns.slice(0, maxAddresses);
}

function race(run: Run, addresses: readonly Address[], port: number): Promise<Socket> {
  const { clock, blockList, network } = run.context;
  const fromMonoMs = clock.monotonicMs();
  run.peers = addresses.map(({ address }) => address);
  return new Promise((resolve, reject) => {
    const open = new Set<Socket>();
    const failures: CheckFailure[] = [];
    let next = 0;
    let cancelDelay: (() => void) | null = null;

    const settle = () => {
      cancelDelay?.();
      run.deadline.offInterrupt();
      for (const socket of open) socket.destroy();
      // The set is empty from here on, so that a late error of one of these sockets does not start another attempt.
      open.clear();
      spent(run, 'connect', fromMonoMs);
    };
    const fail = (failure: CheckFailure): void => {
      failures.push(failure);
      if (next < addresses.length) attempt();
      else if (open.size === 0) {
        settle();
        reject(failureOfAll(failures));
      }
    };
    const attempt = (): void => {
      cancelDelay?.();
      const { address, family } = addresses[next++]!;
      const where = family === 6 ? `[${address}]:${port}` : `${address}:${port}`;
      // The block list does not know addresses with a zone (fe80::1%eth0), so the part before the zone is checked too.
      if (address.includes('%') && blockList.check(address.replace(/%.*/, ''), 'ipv6')) {
        fail(blocked(where));
        return;
      }
      const socket = connect({ host: address, port, blockList });
      open.add(socket);
      socket.on('error', (error) => {
        // If the attempt with this socket is already over, the error is ignored. The listener stays even then, because
        // Node throws an error that has no listener.
        if (!open.delete(socket)) return;
        const failure = socketFailure(error, where);
        if (failure.code === 'connect_refused' || failure.code === 'reset') network.recordAnswer(address, port);
        note(run, failure.message);
        fail(failure);
      });
      socket.once('connect', () => {
        open.delete(socket);
        if (connectedToItself(socket, port)) {
          socket.destroy();
          fail(socketFailure({ code: 'ECONNREFUSED' }, where));
        } else {
          settle();
          run.answered = { address, port, via: 'tcp' };
          network.recordAnswer(address, port);
          note(run, `connected to ${where}`);
          resolve(socket);
        }
      });
      if (next < addresses.length) cancelDelay = clock.after(attemptDelayMs, attempt);
    };

    run.deadline.onInterrupt((why) => {
      settle();
      const seconds = Math.round(elapsedMs(run) / 100) / 10;
      const what = addresses.length === 1 ? addresses[0]!.address : `any of ${addresses.length} addresses`;
      const silent = `no connection to ${what} port ${port} within ${seconds} s`;
      const message = [silent, ...new Set(failures.map((failure) => failure.message))].join('; ');
      reject(interrupted(why, 'connect_timeout', message));
    });
    if (!run.deadline.over) attempt();
  });
}

/** Returns one failure for all addresses: the most informative code, and the message of each address. */
function failureOfAll(failures: readonly CheckFailure[]): CheckFailure {
  const rank = (failure: CheckFailure) => {
    const at = telling.indexOf(failure.code);
    return at < 0 ? telling.length : at;
  };
  const [first, ...others] = failures.toSorted((a, b) => rank(a) - rank(b));
  const messages = new Set([first!, ...others].map(({ message }) => message));
  // A fault of this machine (`internal`) is the same for all addresses, so one message is enough.
  if (messages.size === 1 || first!.code === 'internal') return first!;
  const named = [...messages];
  let shown = named.length;
  const text = () => {
    const left = named.length - shown;
    return named.slice(0, shown).join('; ') + (left === 0 ? '' : `; and ${left} more addresses failed`);
  };
  while (shown > 1 && text().length > maxMessageLength) shown--;
  return new CheckFailure(first!.code, text(), { cause: first });
}

/**
 * Whether a socket has connected to itself. `port` is the port of the target. If the target is this machine and no
 * process listens on `port`, the kernel may choose `port` as the local port of the socket. Compares the ports first,
 * because each address costs a system call.
 */
export const connectedToItself = (socket: Socket, port: number) =>
  socket.localPort === port && socket.localAddress === socket.remoteAddress;
