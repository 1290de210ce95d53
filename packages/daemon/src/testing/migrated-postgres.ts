import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { DatabaseError } from 'pg';
import { openStore } from '../store/open-store.ts';
import { administerPostgres } from './administer-postgres.ts';

const template = 'migrated';
const noSuchDatabase = '3D000';
/** The error codes for a name that is taken. The second code means that two connections took the name at once. */
const nameTaken = ['42P04', '23505'];

/**
 * Creates a database with the current schema. It copies a template, because a migration would take several times as
 * long. The first call of a test run makes the template. Returns the address of the new database. In `address`,
 * `DATABASE` stands for the name of a database.
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

/**
 * Makes the template. Several workers may do so at once: each renames its database when it is complete, and the
 * database that is renamed first becomes the template.
 */
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
