import { z } from 'zod';
import { internalOutcome } from '../checks/index.ts';
import type { ProbeResult } from '../probe-protocol.ts';
import type { Store } from '../store/store.ts';
import type { QueuedResult } from './result-queue.ts';

/**
 * How many milliseconds are added to the times of early results (see `EarlyResults`). Null if the clock was so wrong
 * that the verdicts may be wrong, too.
 */
export type EarlyCorrection = number | null;

/** A result as it is stored. */
export interface StoredResult extends Omit<ProbeResult, 'seq'> {
  /**
   * Only an early result has this field. It shows which stored correction belongs to the result. Its value is the
   * highest result number from before the start of the process that ran the check.
   */
  early?: number;
}

/**
 * The results of checks that ended before the process had its first exchange with the server. The clock may have been
 * wrong until then. So the times of these results are corrected when they are sent. The corrections are stored, because
 * the results may be sent after a restart.
 */
export interface EarlyResults {
  /** Returns the result as it is stored. */
  tagged(result: QueuedResult): StoredResult;
  /** Stores the correction of this process. */
  correct(correction: EarlyCorrection): Promise<void>;
  /** Returns the result as it is sent. If its verdict may be wrong, it becomes a checker fault. */
  corrected(stored: StoredResult): Omit<ProbeResult, 'seq'>;
}

const fact = 'early results';
const corrections = z.record(z.string(), z.number().nullable());

/** Reads the stored corrections. `earlier` is the highest result number of earlier processes. */
export async function openEarlyResults(store: Store, earlier: number): Promise<EarlyResults> {
  const known = await readCorrections(store);
  return {
    tagged: ({ isEarly, ...result }) => (isEarly ? { ...result, early: earlier } : result),
    async correct(correction) {
      if (correction === 0) return;
      known[earlier] = correction;
      const value = JSON.stringify(known);
      await store.db
        .insertInto('probe_fact')
        .values({ name: fact, value })
        .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
        .execute();
    },
    corrected({ early, ...result }) {
      const correction = early === undefined ? 0 : known[early];
      if (correction === null) {
        const { verdict, error } = internalOutcome('The clock of the machine was wrong.');
        return { ...result, verdict, error, over: true };
      }
      const byMs = correction ?? 0;
      const { begun, at, thinned } = result;
      const moved = { ...result, begun: begun + byMs, at: at + byMs };
      return thinned ? { ...moved, thinned: { ...thinned, since: thinned.since + byMs } } : moved;
    },
  };
}

/** Reads the corrections. If no result waits, removes them first, because no result needs them any more. */
async function readCorrections({ db }: Store): Promise<Record<string, number | null>> {
  const waiting = await db.selectFrom('probe_result').select('seq').limit(1).executeTakeFirst();
  if (!waiting) await db.deleteFrom('probe_fact').where('name', '=', fact).execute();
  const row = await db.selectFrom('probe_fact').select('value').where('name', '=', fact).executeTakeFirst();
  return row ? corrections.parse(JSON.parse(row.value)) : {};
}
