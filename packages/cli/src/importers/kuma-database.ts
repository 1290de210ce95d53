import { CliError } from '../exit.ts';
import type { ImportSource } from './importer.ts';
import { wrongFile } from './read-map.ts';
import type { KumaData, Row } from './kuma-data.ts';

/** Reads the content of Uptime Kuma from its database. The database is opened read-only. */
export async function readKumaDatabase(source: ImportSource): Promise<KumaData> {
  const { DatabaseSync } = await loadSqlite();
  const database = open(() => new DatabaseSync(source.path, { readOnly: true }), source);
  try {
    // The code itself names every table. So no text from the file can become part of a statement.
    const has = (table: string): boolean =>
      open(
        () =>
          database.prepare("select 1 from sqlite_master where type = 'table' and name = ?").get(table) !== undefined,
        source,
      );
    const rows = (table: string, isNeeded = false): Row[] => {
      if (!has(table) && isNeeded) throw wrongFile(source, 'the database of Uptime Kuma, with a table `monitor`');
      return has(table) ? open(() => database.prepare(`select * from "${table}"`).all(), source) : [];
    };
    return {
      monitors: rows('monitor', true),
      notifications: rows('notification'),
      links: rows('monitor_notification'),
      tags: rows('tag'),
      monitorTags: rows('monitor_tag'),
      pages: rows('status_page'),
      groups: rows('group'),
      groupMonitors: rows('monitor_group'),
      pageDomains: rows('status_page_cname'),
      hasMaintenance: rows('maintenance').length > 0,
      hasIncidents: rows('incident').length > 0,
      hasHistory: has('heartbeat'),
    };
  } finally {
    database.close();
  }
}

/** Loads Node's SQLite. Some builds of Node do not have it. */
async function loadSqlite() {
  try {
    return await import('node:sqlite');
  } catch (error) {
    throw new CliError('this Node lacks SQLite, which is needed to read kuma.db', {
      next: 'run uptime with Node 22.13 or later, or export a JSON backup in Uptime Kuma 1 and import that',
      cause: error,
    });
  }
}

function open<T>(read: () => T, source: ImportSource): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw new CliError(`${source.name} cannot be read as SQLite: ${(error as Error).message}`, {
      exit: 'usage',
      next: 'stop Uptime Kuma, copy its kuma.db with kuma.db-wal beside it, and import the copy',
      cause: error,
    });
  }
}
