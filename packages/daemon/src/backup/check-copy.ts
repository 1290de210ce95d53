import Database from 'better-sqlite3';
import { BackupError } from './backup-error.ts';
import { numberOf } from './copy-in-steps.ts';

/** Reads the whole copy and checks its structure. Throws BackupError if it is damaged or lacks pages. */
export function checkCopy(file: string, pages: number): void {
  const copy = new Database(file, { fileMustExist: true });
  try {
    // In the write-ahead mode of the database, the copy would need more files beside it. In `delete` mode, the copy is
    // a single file, which can be opened even on a read-only disk.
    copy.pragma('journal_mode = delete');
    const copied = numberOf(copy, 'page_count');
    if (copied !== pages) throw new BackupError(`The copy has ${copied} of the database's ${pages} pages. Try again.`);
    const found = copy.pragma('quick_check(1)', { simple: true }) as string;
    if (found === 'ok') return;
    // SQLite's answer has several lines. Only the last line describes the damage; the lines before it name the
    // database.
    const fault = found.slice(found.lastIndexOf('\n') + 1);
    throw new BackupError(`The copy is damaged, and probably the database too: ${fault}. Keep your earlier backups.`);
  } finally {
    copy.close();
  }
}
