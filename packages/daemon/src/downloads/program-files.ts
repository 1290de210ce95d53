import { readFile } from 'node:fs/promises';

/**
 * Reads a file of `dist/downloads`; null if no build made it. This function is for a daemon that runs from its sources.
 * The build replaces it by a function that reads the files in the built program.
 */
export async function readDownloadFile(name: string): Promise<Buffer | null> {
  try {
    return await readFile(new URL(`../../../../dist/downloads/${name}`, import.meta.url));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** The path of this program if it is the single executable; null otherwise. The build replaces this function, too. */
export const executablePath = (): string | null => null;
