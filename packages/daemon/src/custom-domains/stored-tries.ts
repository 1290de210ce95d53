import type { Clock } from '../deps.ts';
import type { CertificateFiles } from './certificate-files.ts';
import { areForgotten, noTries, type Tries } from './tries.ts';

/** The tries of all names, in a file, so that a restart does not order again at once. */
export interface StoredTries {
  of(name: string, otherwise?: Tries): Tries;
  /** Keeps the tries of a name in memory. The next `remember` stores them. */
  note(name: string, made: Tries): void;
  /** Stores the tries of a name. */
  remember(name: string, made: Tries): Promise<void>;
}

export async function openTries(
  clock: Clock,
  files: CertificateFiles,
  isBound: (name: string) => boolean,
): Promise<StoredTries> {
  const tries = new Map(Object.entries(JSON.parse((await files.readTries()) ?? '{}') as Record<string, Tries>));
  return {
    of: (name, otherwise = noTries) => tries.get(name) ?? otherwise,
    note: (name, made) => void tries.set(name, made),
    async remember(name, made) {
      tries.set(name, made);
      for (const [other, last] of tries) if (!isBound(other) && areForgotten(last, clock.now())) tries.delete(other);
      await files.writeTries(`${JSON.stringify(Object.fromEntries(tries))}\n`);
    },
  };
}
