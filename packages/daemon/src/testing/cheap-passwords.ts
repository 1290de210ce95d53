import { createHash } from 'node:crypto';
import { verifyPassword } from 'better-auth/crypto';
import type { PasswordHashing } from '../http/accounts.ts';

const prefix = 'cheap:';
const cheapHash = (password: string) => prefix + createHash('sha256').update(password).digest('hex');

/**
 * Password hashing for tests. A hash takes microseconds, while a real one with scrypt takes 90 ms. Real hashes are
 * verified too, such as those that `uptimed admin` stores.
 */
export const cheapPasswords: PasswordHashing = {
  hash: async (password) => cheapHash(password),
  verify: async ({ hash, password }) =>
    hash.startsWith(prefix) ? hash === cheapHash(password) : verifyPassword({ hash, password }),
};
