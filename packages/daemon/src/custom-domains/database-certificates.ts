import { randomBytes } from 'node:crypto';
import type { Clock } from '../deps.ts';
import type { Seal } from '../store/seal.ts';
import type { CertificateFileTable } from '../store/shared-tables.ts';
import type { Store } from '../store/store.ts';
import type { CertificateFiles } from './certificate-files.ts';

const ending = '.pem';
const soonPrefix = 'soon ';
/**
 * A row may be committed this much later than its `written_at`. So each refresh also reads the rows whose `written_at`
 * is up to this long before the last refresh.
 */
const latestCommitMs = 15_000;
/** A request of `askSoon` is deleted after this time. By then, all nodes have read it. */
const requestKeptMs = 3_600_000;

/** The changes that all nodes, including this one, have written since the last refresh. */
export interface CertificateChanges {
  certificates: { name: string; pem: string }[];
  /** Names whose certificates were deleted. */
  removed: string[];
  /** Names whose next order should begin without the wait after a failure. */
  soon: string[];
}

export interface DatabaseCertificates extends CertificateFiles {
  /**
   * Reads the changes of all nodes, and returns each change only once. The other read functions do not query the
   * database: they return what the last refresh found, and what this node has written since.
   */
  refresh(): Promise<CertificateChanges>;
  /** Asks the node that orders certificates to begin the next order for this name without the wait after a failure. */
  askSoon(name: string): Promise<void>;
}

/**
 * Opens the storage in the database, which all nodes share. It contains the certificates, their keys and the counts of
 * orders, all encrypted.
 */
export async function openDatabaseCertificates(
  store: Store,
  seal: Seal,
  clock: Pick<Clock, 'now'>,
): Promise<DatabaseCertificates> {
  const texts = new Map<string, string>();
  const versions = new Map<string, string>();
  let seenUntil = 0;

  const write = async (name: string, text: string): Promise<void> => {
    const version = randomBytes(9).toString('base64url');
    await writeRow(store, { name, body: seal.close(text, name), version, written_at: clock.now() });
    texts.set(name, text);
  };
  const remove = async (name: string): Promise<void> => {
    texts.delete(name);
    await store.write((trx) => trx.deleteFrom('certificate_file').where('name', '=', name).execute());
  };
  const read = async (name: string) => texts.get(name) ?? null;

  const refresh = async (): Promise<CertificateChanges> => {
    const now = clock.now();
    const { rows, names } = await readRows(store, seenUntil - latestCommitMs);
    seenUntil = now;
    const changes: CertificateChanges = { certificates: [], removed: [], soon: [] };
    for (const { name, body, version } of rows.filter((row) => versions.get(row.name) !== row.version)) {
      const text = seal.open(body, name);
      if (text === null) continue;
      versions.set(name, version);
      texts.set(name, text);
      if (name.endsWith(ending)) changes.certificates.push({ name: name.slice(0, -ending.length), pem: text });
      if (name.startsWith(soonPrefix)) changes.soon.push(text);
    }
    for (const name of versions.keys()) {
      if (names.has(name)) continue;
      texts.delete(name);
      versions.delete(name);
      if (name.endsWith(ending)) changes.removed.push(name.slice(0, -ending.length));
    }
    return changes;
  };
  await refresh();

  return {
    refresh,
    async askSoon(name) {
      await removeRequestsBefore(store, clock.now() - requestKeptMs);
      await write(soonPrefix + name, name);
    },
    certificates: async () =>
      [...texts].flatMap(([name, pem]) =>
        name.endsWith(ending) ? [{ name: name.slice(0, -ending.length), pem }] : [],
      ),
    writeCertificate: (name, pem) => write(name + ending, pem),
    removeCertificate: (name) => remove(name + ending),
    readAccountKey: () => read('account.key'),
    writeAccountKey: (pem) => write('account.key', pem),
    readAttempts: () => read('tries.json'),
    writeAttempts: (json) => write('tries.json', json),
    readLimits: () => read('limits.json'),
    writeLimits: (json) => write('limits.json', json),
  };
}

/**
 * Returns the rows that were written after `from`, and the names of all rows. A deleted row has no `written_at`, so
 * only the names show that it is gone.
 */
async function readRows({ db }: Store, from: number) {
  const rows = await db.selectFrom('certificate_file').selectAll().where('written_at', '>', from).execute();
  const stored = await db.selectFrom('certificate_file').select('name').execute();
  return { rows, names: new Set(stored.map(({ name }) => name)) };
}

async function writeRow(store: Store, { name, ...row }: CertificateFileTable): Promise<void> {
  await store.write((trx) =>
    trx
      .insertInto('certificate_file')
      .values({ name, ...row })
      .onConflict((conflict) => conflict.column('name').doUpdateSet(row))
      .execute(),
  );
}

const removeRequestsBefore = (store: Store, writtenAt: number) =>
  store.write((trx) =>
    trx
      .deleteFrom('certificate_file')
      .where('name', 'like', `${soonPrefix}%`)
      .where('written_at', '<', writtenAt)
      .execute(),
  );

/**
 * Copies certificates, keys and counts from this node's files into the database if the database lacks them, for example
 * after a move to PostgreSQL.
 */
export async function takeOverFiles(files: CertificateFiles, stored: CertificateFiles): Promise<void> {
  const [key, limits, attempts] = [await files.readAccountKey(), await files.readLimits(), await files.readAttempts()];
  if (key !== null && (await stored.readAccountKey()) === null) await stored.writeAccountKey(key);
  if (limits !== null && (await stored.readLimits()) === null) await stored.writeLimits(limits);
  if (attempts !== null && (await stored.readAttempts()) === null) await stored.writeAttempts(attempts);
  const there = new Set((await stored.certificates()).map(({ name }) => name));
  for (const { name, pem } of await files.certificates())
    if (!there.has(name)) await stored.writeCertificate(name, pem);
}
