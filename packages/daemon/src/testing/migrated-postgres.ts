import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { DatabaseError } from 'pg';
import { openStore } from '../store/open-store.ts';
import { administerPostgres } from './administer-postgres.ts';

const template = 'migrated';
const noSuchDatabase = '3D000';
/** PostgreSQL returns the second code if two connections take a name at the same moment. */
const nameTaken = ['42P04', '23505'];

/**
 * Creates a database with the current schema, as a copy, because a migration takes several times as long. The first
 * call of a run makes the original. Returns the address of the copy. `name` replaces `DATABASE` in the given address.
 */
export async function createMigratedPostgres(address: string, name: string): Promise<string> {
  const copy = () => administerPostgres(address, `create database ${name} template ${template} strategy file_copy`);
  try {
    await copy();
  } catch (error) {
    if (codeOf(error) !== noSuchDatabase) throw error;
    await makeTemplate(address);
    await copy();
  }
  return address.replace('DATABASE', name);
}

/** Several workers may do this at once. Each renames its template when it is complete, and the first one is kept. */
async function makeTemplate(address: string): Promise<void> {
  const name = `making_${randomUUID().replaceAll('-', '')}`;
  await administerPostgres(address, `create database ${name}`);
  const store = await openStore({
    databaseUrl: address.replace('DATABASE', name),
    dataDir: tmpdir(),
    log: console,
  });
  await store.close();
  try {
    await administerPostgres(address, `alter database ${name} rename to ${template}`);
  } catch (error) {
    if (!nameTaken.includes(codeOf(error) ?? '')) throw error;
    await administerPostgres(address, `drop database ${name}`);
  }
}

const codeOf = (error: unknown) => (error instanceof DatabaseError ? error.code : undefined);
