import { ServiceError } from '../errors.ts';

/**
 * Maximum number of passwords that are hashed at once. Two of libuv's four threads remain for DNS look-ups, files and
 * decompression.
 */
export const maxHashed = 2;
/**
 * Maximum number of requests that wait for their turn. A hash takes about 90 ms, so the last request waits a few
 * seconds.
 */
export const maxWaiting = 50;

/**
 * Runs work that hashes a password. Work that has to wait runs in the order of the calls. Rejects with `unavailable` if
 * more than `maxWaiting` requests would wait.
 */
export type PasswordTurns = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Returns a function that limits how many passwords are hashed at once. A hash occupies a thread for about 90 ms, and
 * checks need the same threads. The rate limit of sign-ins does not suffice: it counts attempts for each address and
 * account, and an attacker may have thousands of addresses.
 */
export function createPasswordTurns(): PasswordTurns {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= maxHashed) {
      if (waiting.length >= maxWaiting) throw tooManyWait();
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
  new ServiceError('unavailable', 'Too many sign-ins wait at the moment. Send this request again.', {
    retryAfterSeconds: 5,
  });
