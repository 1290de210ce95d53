import { chmod, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What the quickstart knows from one start to the next. */
export interface Memory {
  email: string;
  /** Kept only until the set-up is done, so that one that was cut off can go on. */
  password?: string;
  apiKey?: string;
  /** The server's address when the example was applied: its monitors name it. */
  appliedAt?: string;
}

const fileIn = (dataDir: string) => join(dataDir, 'quickstart.json');

/** The memory of an earlier start, or null on the first. */
export async function recall(dataDir: string): Promise<Memory | null> {
  try {
    return JSON.parse(await readFile(fileIn(dataDir), 'utf8')) as Memory;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Writes the memory whole or not at all, readable by its owner alone. */
export async function remember(dataDir: string, memory: Memory): Promise<void> {
  const draft = `${fileIn(dataDir)}.new`;
  await writeFile(draft, `${JSON.stringify(memory, null, 2)}\n`, { mode: 0o600 });
  await chmod(draft, 0o600);
  await rename(draft, fileIn(dataDir));
}
