import Database from 'better-sqlite3';
import type { Clock } from '../deps.ts';

/** Number of pages that one step copies: 128 KiB with SQLite's usual pages of 4 KiB. */
const pagesOfStep = 32;
/**
 * After each step, the process rests this many times as long as the step took. So the daemon has the disk to itself for
 * most of the time. With faster copies, some syncs of the daemon took 30 ms.
 */
const restsPerStep = 3;
const minRestMs = 10;
/** Longest rest between two steps. The process notices a signal only after a rest. */
const maxRestMs = 30;

export interface CopyOptions {
  /** The path of the database. A daemon may be writing to the database. */
  from: string;
  /** The path of an empty file. */
  to: string;
  clock: Pick<Clock, 'monotonicMs'>;
  /** Syncs the copy to disk. */
  sync: () => void;
  /** Throws if the disk of the copy has no room for this many bytes. */
  expectRoom: (bytes: number) => Promise<void>;
  /** Called with a sentence about a problem that does not harm the copy. */
  warn: (line: string) => void;
  /** Called after each step with the copied share, from 0 to 1. If it throws, the copy ends with that error. */
  onStep: (share: number) => void;
}

/**
 * Copies a SQLite database in small steps with rests between them, while a daemon writes to it. Returns the number of
 * pages. The copy is made in a read transaction, so it is a snapshot of the database at the start. Without the
 * transaction, SQLite would restart the copy after each write of the daemon. The rests block the event loop, so call
 * this only in a process without other work.
 */
export async function copyInSteps({ from, to, clock, sync, expectRoom, warn, onStep }: CopyOptions): Promise<number> {
  const source = new Database(from, { fileMustExist: true });
  try {
    moveLog(source, warn);
    source.exec('begin');
    const pages = numberOf(source, 'page_count');
    await expectRoom(pages * numberOf(source, 'page_size'));
    let startedMonoMs = clock.monotonicMs();
    await source.backup(to, {
      progress({ totalPages, remainingPages }) {
        onStep(1 - remainingPages / totalPages);
        sync();
        const tookMs = clock.monotonicMs() - startedMonoMs;
        rest(Math.min(maxRestMs, Math.max(minRestMs, restsPerStep * tookMs)));
        startedMonoMs = clock.monotonicMs();
        return pagesOfStep;
      },
    });
    source.exec('commit');
    moveLog(source, warn);
    return pages;
  } finally {
    source.close();
  }
}

/**
 * Moves the write-ahead log into the database. The daemon cannot do this during the copy. Without this call, the first
 * commit of the daemon after the copy would move the whole write-ahead log, and block the daemon's event loop.
 */
function moveLog(database: Database.Database, warn: CopyOptions['warn']): void {
  try {
    database.pragma('wal_checkpoint(passive)');
  } catch (error) {
    // The backup continues. The daemon's disk may be full, and then a backup on another disk is especially important.
    warn(
      `The write-ahead log of ${database.name} could not be moved into the database: ${(error as Error).message}. Check its disk.`,
    );
  }
}

export const numberOf = (database: Database.Database, pragma: 'page_count' | 'page_size'): number =>
  database.pragma(pragma, { simple: true }) as number;

/** Blocks this process for `ms`, because SQLite's backup does not wait for a promise between two steps. */
function rest(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
