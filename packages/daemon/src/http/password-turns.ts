import { ServiceError } from '../errors.ts';

/**
 * Maximum number of passwords that are hashed at once. Two of libuv's four threads remain for DNS look-ups, files and
 * decompression.
 */
export const mostHashed = 2;
/** Maximum number of requests that wait for their turn. Their hashes take a few seconds. */
export const mostWaiting = 50;

/** Runs work that hashes a password, in turn. Rejects with `unavailable` if too much waits. */
export type PasswordTurns = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Limits how many passwords are hashed. A hash takes about 90 ms of a thread that checks need, too. The limit of
 * attempts is not enough, because it counts by address and account, and an attacker may have thousands of addresses.
 */
export function createPasswordTurns(): PasswordTurns {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= mostHashed) {
      if (waiting.length >= mostWaiting) throw tooManyWait();
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else running++;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}

const tooManyWait = () =>
  new ServiceError('unavailable', 'Too many sign-ins wait at the moment. Send this one again.', {
    retryAfterSeconds: 5,
  });
