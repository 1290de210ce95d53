import { sql, type Transaction } from 'kysely';
import type { Ping } from '../core/heartbeat.ts';
import type { EncodedRows, RowColumns } from '../store/dialect.ts';
import { prepare, prepareChange } from '../store/prepared.ts';
import type { Store } from '../store/store.ts';
import type { Tables } from '../store/tables.ts';

/** A ping that only says that a job is done. */
export type PlainPing = Pick<Ping, 'at'> & { token: string };

/**
 * Records plain pings in order. Pings of one millisecond are recorded together. This works only for heartbeats that are
 * up and have no started run. The function stops before the first millisecond with a ping for any other heartbeat. Then
 * record-pings.ts records the pings from that millisecond on. Resolves with the number of recorded pings.
 */
export type RecordPlainPings = (trx: Transaction<Tables>, pings: readonly PlainPing[]) => Promise<number>;

/**
 * Creates the function that records plain pings. Nearly all pings are plain. The pings of one millisecond take two
 * statements, and nothing is loaded first. This is only for SQLite, where a statement costs microseconds. A database on
 * a network would need two round trips for each millisecond.
 */
export function createRecordPlainPings(store: Store): RecordPlainPings {
  const statements = prepareStatements(store);

  return async (trx, pings) => {
    let recorded = 0;
    while (recorded < pings.length) {
      const { at } = pings[recorded]!;
      let end = recorded + 1;
      while (pings[end]?.at === at) end++;
      const moment = pings.slice(recorded, end);
      const given = { ...store.dialect.encodeRows(givenColumns, moment), at };
      const moved = await statements.setTimes(trx, given);
      // At least one heartbeat is not up, has a started run, or is unknown. So record-pings.ts has to record the pings
      // of this millisecond. The statement may have set some times already. That does no harm, because record-pings.ts
      // sets the same values.
      if (moved < moment.length && moved < countHeartbeats(moment)) break;
      await statements.insertPings(trx, given);
      recorded = end;
    }
    return recorded;
  };
}

const countHeartbeats = (pings: readonly PlainPing[]) => new Set(pings.map(({ token }) => token)).size;

const givenColumns: RowColumns<Pick<PlainPing, 'token'>> = { token: 'text' };

/** The encoded tokens of pings that arrived in the same millisecond, and the time of their arrival. */
type Moment = EncodedRows & { at: number };

function prepareStatements(store: Store) {
  const given = (moment: Moment) => store.dialect.encodedRows('given', givenColumns, moment);
  return {
    /** Sets the same times as `timesAfter` in core/heartbeat.ts. */
    setTimes: prepareChange(store, (db, moment: Moment) =>
      db
        .updateTable('monitor_state')
        .set((set) => ({
          last_ping_at: moment.at,
          last_checked_at: moment.at,
          ping_due_at: set('allowed_silence_ms', '+', moment.at),
        }))
        .where('monitor', 'in', (of) =>
          of.selectFrom(given(moment)).innerJoin('monitor', 'monitor.token', 'given.token').select('monitor.seq'),
        )
        .where('status', '=', 'up')
        .where('run_started_at', 'is', null),
    ),
    insertPings: prepare(store, (db, moment: Moment) =>
      db
        .insertInto('ping')
        .columns(['monitor', 'at', 'kind'])
        .expression((of) =>
          of
            .selectFrom(given(moment))
            .innerJoin('monitor', 'monitor.token', 'given.token')
            .select((each) => ['monitor.seq', each.val(moment.at).as('at'), sql.lit('success').as('kind')]),
        ),
    ),
  };
}
