import { readFile } from 'node:fs/promises';
import { checkErrorNumbers } from '@uptime/sdk/contract';

const file = new URL('../packages/daemon/src/store/stored-error-numbers.json', import.meta.url);

/**
 * Returns the new text of the file, which lists each error code with its number in stored results. Adds new codes.
 * Throws if a code of the file got another number or no longer exists, because databases contain its number.
 */
export async function storedErrorNumbers(): Promise<string> {
  const stored = JSON.parse(await readFile(file, 'utf8')) as Record<string, number>;
  return `${JSON.stringify(withNewCodes(stored, checkErrorNumbers), null, 2)}\n`;
}

/** Returns `stored` with the new codes of `current`, in the order of their numbers. Throws if a stored code changed. */
export function withNewCodes(
  stored: Readonly<Record<string, number>>,
  current: Readonly<Record<string, number>>,
): Record<string, number> {
  for (const [code, number] of Object.entries(stored)) {
    if (current[code] !== number)
      throw new Error(
        `The error code ${code} must keep the number ${number}, because stored results contain it. ` +
          `The contract has ${current[code] ?? 'no such code'}.`,
      );
  }
  const sorted = Object.entries(current).toSorted(([, a], [, b]) => a - b);
  const free = sorted.findIndex(([, number], at) => number !== at);
  if (free !== -1) {
    const [code, number] = sorted[free]!;
    throw new Error(`The error code ${code} has the number ${number}. The next free number is ${free}.`);
  }
  return Object.fromEntries(sorted);
}
