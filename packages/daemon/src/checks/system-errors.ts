import { closeSync, openSync } from 'node:fs';
import { devNull } from 'node:os';
import { CheckFailure, codeOf } from './failure.ts';

/** Error codes for faults of this machine, which say nothing about the target. */
const ours: Record<string, string> = {
  EMFILE: 'this process has no file descriptors left',
  ENFILE: 'this machine has no file descriptors left',
  ENOBUFS: 'this machine has no network buffers left',
  ENOMEM: 'this machine has no memory left',
  EADDRNOTAVAIL: 'this machine has no free local address or port to connect from',
  EADDRINUSE: 'this machine has no free local port to connect from',
  ENETDOWN: "this machine's network is down",
  EPERM: 'a firewall of this machine forbids the connection',
};

/** Translates a system error of a connection to `where` into the failure of a check. */
export function socketFailure(error: unknown, where: string): CheckFailure {
  const code = codeOf(error);
  const own = ours[code];
  if (own) return new CheckFailure('internal', `${own} (${code})`, { cause: error });
  switch (code) {
    case 'ECONNREFUSED':
      return new CheckFailure('connect_refused', `${where} refused the connection`);
    case 'ETIMEDOUT':
      return new CheckFailure('connect_timeout', `${where} did not answer`);
    case 'ECONNRESET':
    case 'ECONNABORTED':
    case 'EPIPE':
      return new CheckFailure('reset', `${where} reset the connection`);
    case 'ERR_IP_BLOCKED':
      return blocked(where);
    case 'ENETUNREACH':
    case 'EHOSTUNREACH':
    case 'EHOSTDOWN':
    case 'EACCES':
      return new CheckFailure('unreachable', `there is no route to ${where} from here (${code})`);
    default:
      return new CheckFailure('internal', `connecting to ${where} failed: ${words(error)}`, { cause: error });
  }
}

export const blocked = (where: string) =>
  new CheckFailure('blocked_target', `connecting to ${where} is not allowed by this server`);

/**
 * Whether this process or machine has no file descriptors left. Without a descriptor, a lookup fails with ENOTFOUND, as
 * if the name did not exist. So this function tries to open a file.
 */
export function outOfDescriptors(): boolean {
  try {
    closeSync(openSync(devNull, 'r'));
    return false;
  } catch (error) {
    return ['EMFILE', 'ENFILE', 'ENOMEM'].includes(codeOf(error));
  }
}

const words = (error: unknown) => (error instanceof Error ? error.message : String(error));
