import { sql, type Kysely } from 'kysely';
import { prepareAtOnce } from '../store/prepared.ts';
import type { DirectStatements } from '../store/sqlite-driver.ts';
import type { Store } from '../store/store.ts';
import type { Tables } from '../store/tables.ts';
import type { PingAnswer, ReceivedPing, RecordPings } from './received-ping.ts';
import { createRecordingTogether } from './record-pings-together.ts';

/**
 * What records pings and all that follows from them. A database that is asked over a network records them together. In
 * SQLite, two statements about the row of a heartbeat that is still well cost half of that: only the others go together.
 */
export function createPingRecording(store: Store): RecordPings {
  const together = createRecordingTogether(store);
  if (!store.direct) return together;
  const recordWell = createRecordingOfWell(store.db, store.direct);

  return async (trx, pings) => {
    const answers: PingAnswer[] = [];
    const others: { ping: ReceivedPing; place: number }[] = [];
    // What follows a ping that goes with the others goes with them: each heartbeat takes its pings in order.
    const held = new Set<string>();
    pings.forEach((ping, place) => {
      if (!held.has(ping.token) && recordWell(ping)) {
        answers[place] = nothingNew;
      } else {
        held.add(ping.token);
        others.push({ ping, place });
      }
    });
    if (others.length > 0) {
      const found = await together(
        trx,
        others.map(({ ping }) => ping),
      );
      found.forEach((answer, at) => (answers[others[at]!.place] = answer));
    }
    return answers;
  };
}

const nothingNew: PingAnswer = { known: true, transition: null };

/** What records a ping of a heartbeat that was up, is up, and had begun no run; it answers whether this is one. */
function createRecordingOfWell(db: Kysely<Tables>, direct: DirectStatements): (ping: ReceivedPing) => boolean {
  const setTimes = prepareAtOnce(db, direct, (db, { token, at }: { token: string; at: number }) =>
    db
      .updateTable('monitor_state')
      .set({ last_ping_at: at, last_checked_at: at, ping_due_at: sql<number>`${at} + patience` })
      .where('monitor', '=', (of) => of.selectFrom('monitor').select('seq').where('token', '=', token))
      .where('status', '=', sql.lit('up'))
      .where('run_started_at', 'is', null)
      .returning('monitor'),
  );
  const insertPing = prepareAtOnce(
    db,
    direct,
    (db, row: { monitor: number; at: number; exitCode: number | null; metrics: string | null }) =>
      db.insertInto('ping').values({
        monitor: row.monitor,
        at: row.at,
        kind: sql.lit('success'),
        exit_code: row.exitCode,
        metrics: row.metrics,
      }),
  );
  return ({ token, kind, at, exitCode, metrics }) => {
    const [found] = kind === 'success' ? setTimes({ token, at }) : [];
    if (!found) return false;
    insertPing({ monitor: found.monitor, at, exitCode, metrics });
    return true;
  };
}
