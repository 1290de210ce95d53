import { chmod, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The state that the quickstart keeps between starts. */
export interface Memory {
  email: string;
  /** Kept only until the set-up is done, so that an interrupted set-up can continue. */
  password?: string;
  apiKey?: string;
  /** The server's address when the example was applied. The monitors of the example contain this address. */
  appliedAt?: string;
}

const fileIn = (dataDir: string) => join(dataDir, 'quickstart.json');

/** Returns the state that an earlier start stored; null on the first start. */
export async function recall(dataDir: string): Promise<Memory | null> {
  try {
    return JSON.parse(await readFile(fileIn(dataDir), 'utf8')) as Memory;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Stores the state, completely or not at all. Only the owner can read the file. */
export async function remember(dataDir: string, memory: Memory): Promise<void> {
  const draft = `${fileIn(dataDir)}.new`;
  await writeFile(draft, `${JSON.stringify(memory, null, 2)}\n`, { mode: 0o600 });
  await chmod(draft, 0o600);
  await rename(draft, fileIn(dataDir));
}
