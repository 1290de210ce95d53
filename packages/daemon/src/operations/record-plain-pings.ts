import { sql, type Transaction } from 'kysely';
import type { Ping } from '../core/heartbeat.ts';
import { encodeRows, type RowColumns } from '../store/dialect.ts';
import { prepare, prepareChange } from '../store/prepared.ts';
import type { Store } from '../store/store.ts';
import type { Tables } from '../store/tables.ts';

/** A ping that says that a job is done, and nothing else. */
export type PlainPing = Pick<Ping, 'at'> & { token: string };

/**
 * Records pings for heartbeats that are up and mark no run, in order, a millisecond of them at a time, until one comes
 * for which that is not so: its millisecond, and all after it, is left to whoever takes pings one by one. Answers how
 * many it recorded.
 */
export type RecordPlainPings = (trx: Transaction<Tables>, pings: readonly PlainPing[]) => Promise<number>;

/**
 * All pings of a moment take two statements, which load nothing: nearly all pings are such. For SQLite alone, where a
 * statement costs microseconds: a database that is asked over a network would be asked twice for each millisecond.
 */
export function createPlainPingRecording(store: Store): RecordPlainPings {
  const statements = prepareStatements(store);

  return async (trx, pings) => {
    let recorded = 0;
    while (recorded < pings.length) {
      const { at } = pings[recorded]!;
      let end = recorded + 1;
      while (pings[end]?.at === at) end++;
      const moment = pings.slice(recorded, end);
      const tokens = encodeRows(givenColumns, moment);
      const moved = await statements.setTimes(trx, { tokens, at });
      // Somebody has to look closer. Where the times are set already, they are set to the same once more.
      if (moved < moment.length && moved < countHeartbeats(moment)) break;
      await statements.insertPings(trx, { tokens, at });
      recorded = end;
    }
    return recorded;
  };
}

const countHeartbeats = (pings: readonly PlainPing[]) => new Set(pings.map(({ token }) => token)).size;

const givenColumns: RowColumns<Pick<PlainPing, 'token'>> = { token: 'text' };

interface Moment {
  /** The tokens, encoded. */
  tokens: string;
  at: number;
}

function prepareStatements(store: Store) {
  const given = (tokens: string) => store.dialect.rows('given', givenColumns, tokens);
  return {
    /** As `timesAfter` of core/heartbeat has it. */
    setTimes: prepareChange(store, (db, { tokens, at }: Moment) =>
      db
        .updateTable('monitor_state')
        .set((set) => ({ last_ping_at: at, last_checked_at: at, ping_due_at: set('patience', '+', at) }))
        .where('monitor', 'in', (of) =>
          of.selectFrom(given(tokens)).innerJoin('monitor', 'monitor.token', 'given.token').select('monitor.seq'),
        )
        .where('status', '=', 'up')
        .where('run_started_at', 'is', null),
    ),
    insertPings: prepare(store, (db, { tokens, at }: Moment) =>
      db
        .insertInto('ping')
        .columns(['monitor', 'at', 'kind'])
        .expression((of) =>
          of
            .selectFrom(given(tokens))
            .innerJoin('monitor', 'monitor.token', 'given.token')
            .select((each) => ['monitor.seq', each.val(at).as('at'), sql.lit('success').as('kind')]),
        ),
    ),
  };
}
