import { chmod, mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

const ending = '.pem';
const accountKey = 'account.key';
const attempts = 'tries.json';
const limits = 'limits.json';

/**
 * Opens the folder `certificates`. It contains the key of the account at the certificate authority, the certificates
 * with their keys, and the counts of orders. Only the folder's owner can read it.
 */
export async function openCertificateFiles(dataDir: string) {
  const folder = join(dataDir, 'certificates');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);

  /** Writes a file completely or not at all, even if the process or the machine stops. */
  const writeWhole = async (file: string, text: string): Promise<void> => {
    const fresh = join(folder, `${file}.new`);
    await rm(fresh, { force: true });
    const handle = await open(fresh, 'wx', 0o600);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(fresh, join(folder, file));
  };
  let last: Promise<unknown> = Promise.resolve();
  /** Writes a file after all earlier writes have ended, so that the content of the latest write stays. */
  const write = (file: string, text: string): Promise<void> => {
    const written = last.then(() => writeWhole(file, text));
    // If this write fails, its caller gets the error. The next writes run anyway.
    last = written.catch(() => undefined);
    return written;
  };
  const read = async (file: string): Promise<string | null> => {
    try {
      return await readFile(join(folder, file), 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    }
  };

  return {
    /** Returns each name's key and chain, as PEM. */
    async certificates(): Promise<{ name: string; pem: string }[]> {
      const files = (await readdir(folder)).filter((file) => file.endsWith(ending));
      return Promise.all(
        files.map(async (file) => ({
          name: file.slice(0, -ending.length),
          pem: await readFile(join(folder, file), 'utf8'),
        })),
      );
    },
    writeCertificate: (name: string, pem: string) => write(name + ending, pem),
    removeCertificate: (name: string) => rm(join(folder, name + ending), { force: true }),
    readAccountKey: () => read(accountKey),
    writeAccountKey: (pem: string) => write(accountKey, pem),
    readAttempts: () => read(attempts),
    writeAttempts: (json: string) => write(attempts, json),
    readLimits: () => read(limits),
    writeLimits: (json: string) => write(limits, json),
  };
}

export type CertificateFiles = Awaited<ReturnType<typeof openCertificateFiles>>;
