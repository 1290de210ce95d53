import type { Clock } from '../deps.ts';
import type { CertificateFiles } from './certificate-files.ts';
import { areForgotten, noAttempts, type OrderAttempts } from './order-attempts.ts';

/** The attempts to order certificates, by name. They are stored, so that waits and limits continue after a restart. */
export interface StoredAttempts {
  of(name: string, otherwise?: OrderAttempts): OrderAttempts;
  /** Changes the attempts of a name only in memory. The next `remember` stores them. */
  note(name: string, made: OrderAttempts): void;
  /** Stores the attempts of a name. */
  remember(name: string, made: OrderAttempts): Promise<void>;
}

export async function openAttempts(
  clock: Clock,
  files: CertificateFiles,
  isBound: (name: string) => boolean,
): Promise<StoredAttempts> {
  const attempts = new Map(
    Object.entries(JSON.parse((await files.readAttempts()) ?? '{}') as Record<string, OrderAttempts>),
  );
  return {
    of: (name, otherwise = noAttempts) => attempts.get(name) ?? otherwise,
    note: (name, made) => void attempts.set(name, made),
    async remember(name, made) {
      attempts.set(name, made);
      for (const [other, last] of attempts)
        if (!isBound(other) && areForgotten(last, clock.now())) attempts.delete(other);
      await files.writeAttempts(`${JSON.stringify(Object.fromEntries(attempts))}\n`);
    },
  };
}
