import { readFile } from 'node:fs/promises';

/**
 * Reads a file that the build made for users to download; null if there is none. A build replaces this function by one
 * that knows where the program keeps its files. Run from its sources, the daemon has what the last build made.
 */
export async function readDownloadFile(name: string): Promise<Buffer | null> {
  try {
    return await readFile(new URL(`../../../../dist/downloads/${name}`, import.meta.url));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** The path of this program if it is one executable with everything inside; null otherwise. A build replaces this, too. */
export const executablePath = (): string | null => null;
