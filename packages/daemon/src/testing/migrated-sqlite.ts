import { constants } from 'node:fs';
import { access, copyFile, mkdir, mkdtemp, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { openStore } from '../store/open-store.ts';
import { sqliteFile } from '../store/sqlite.ts';

/**
 * Copies a template, an empty database with the current schema, into a data folder. A migration would take ten times as
 * long. Does nothing outside of a test run, because only database-setup.ts names a folder for the template.
 */
export async function copyMigratedSqlite(dataDir: string): Promise<void> {
  const templates = process.env['TEST_DATABASE_TEMPLATES'];
  if (templates === undefined) return;
  const template = join(templates, 'migrated');
  try {
    await access(template);
  } catch {
    await makeTemplate(templates, template);
  }
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  await copyFile(sqliteFile(template), sqliteFile(dataDir), constants.COPYFILE_FICLONE);
}

/**
 * Makes the template. Several workers may do so at once: each renames its folder when it is complete, and the folder
 * that is renamed first becomes the template.
 */
async function makeTemplate(templates: string, template: string): Promise<void> {
  const folder = await mkdtemp(join(templates, 'making-'));
  const store = await openStore({ dataDir: folder, log: console });
  await store.close();
  await rename(folder, template).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
  });
}
