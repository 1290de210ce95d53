import { existsSync } from 'node:fs';
import Database from 'better-sqlite3';
import { createRecordAllPings, type ReceivedPing } from '../recording/record-pings.ts';
import { readMove } from '../store/database-move.ts';
import { sqliteFile } from '../store/sqlite.ts';
import type { Store } from '../store/store.ts';
import type { DatabaseMoveTable } from '../store/tables.ts';

/** Number of pings that one transaction takes over. */
const maxTakenAtOnce = 500;

/**
 * Records in PostgreSQL the pings that SQLite stored after the last snapshot of the move, with the times at which they
 * arrived. Each transaction also stores the id of its last ping. So no ping is lost or recorded twice if the process is
 * killed. Resolves with the number of recorded pings.
 */
export async function takeMovedPings(postgres: Store, dataDir: string): Promise<number> {
  const move = await readMove(postgres.db);
  const isFilled = move?.state === 'filled' || move?.state === 'used';
  if (!isFilled || !existsSync(sqliteFile(dataDir))) return 0;
  const db = new Database(sqliteFile(dataDir), { readonly: true, timeout: 10_000 });
  try {
    // Reads all columns, because a file that an older version moved has no column `move`.
    const moved = db.prepare<[], Partial<DatabaseMoveTable>>("select * from database_move where state = 'moved'").get();
    if (moved?.installation !== move.installation || (moved.move ?? null) !== move.move) return 0;
    const record = createRecordAllPings(postgres);
    const next = db.prepare<[number, number], MovedPing>(`
      select ping.id, token, at, kind, exit_code as exitCode, metrics from ping join monitor on monitor.seq = ping.monitor
      where ping.id > ? and token is not null order by ping.id limit ?`);
    let taken = 0;
    for (let last = move.last_ping ?? 0; ;) {
      const pings = next.all(last, maxTakenAtOnce);
      const latest = pings.at(-1);
      if (!latest) return taken;
      await postgres.write(async (trx) => {
        await record(trx, pings);
        await trx.updateTable('database_move').set({ last_ping: latest.id }).execute();
      });
      last = latest.id;
      taken += pings.length;
    }
  } finally {
    db.close();
  }
}

interface MovedPing extends ReceivedPing {
  id: number;
}
