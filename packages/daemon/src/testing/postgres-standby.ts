import { join } from 'node:path';
import { Client } from 'pg';
import { type PostgresServer, runAsServer, startOnData } from './postgres-server.ts';

/**
 * Starts a read-only copy of a PostgreSQL server, to which the server streams its WAL. Stop the copy before the server.
 * Call this function at most once for a server, and only while no other program writes to the server.
 */
export const startStandby = (primary: PostgresServer, { sync = false } = {}): Promise<PostgresServer> =>
  startOnData({ sync }, async (data) => {
    const client = new Client({ connectionString: primary.url('postgres') });
    await client.connect();
    try {
      await copyData(client, primary, data);
    } finally {
      await client.end();
    }
  });

/** Copies the data folder of a running server, because pg_basebackup is not in the package of PostgreSQL. */
async function copyData(client: Client, primary: PostgresServer, data: string): Promise<void> {
  // The primary keeps its WAL from here on until the standby has read it.
  await client.query(`select pg_create_physical_replication_slot('standby', true)`);
  await client.query(`select pg_backup_start('standby', true)`);
  runAsServer('cp', ['-a', join(primary.folder, 'data'), data]);
  const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
  // The copied WAL may be incomplete, and the replication slots belong to the primary. So these copies are removed.
  const copiedTooMuch = ['postmaster.pid', 'pg_wal', 'pg_replslot'].map((name) => join(data, name));
  runAsServer('rm', ['-r', ...copiedTooMuch]);
  runAsServer('mkdir', ['-m', '700', ...copiedTooMuch.slice(1)]);
  const write = (name: string, text: string) => runAsServer('tee', [join(data, name)], text);
  write('backup_label', rows[0]!.labelfile);
  write('standby.signal', '');
  write(
    'postgresql.auto.conf',
    `primary_conninfo = 'host=${primary.folder} user=postgres'\nprimary_slot_name = 'standby'\n`,
  );
}
