import { outOfDescriptors } from '../checks/system-errors.ts';
import type { Deps } from '../deps.ts';
import type { PingRecorder } from '../operations/ping-recorder.ts';
import { recordAbsence } from '../operations/record-absence.ts';
import type { Store } from '../store/store.ts';
import { type Loop, startLoop } from './loop.ts';

/** Milliseconds between signs of life. */
const beat = 1000;
/** Milliseconds for which a refused ping speaks for itself, when no other follows that is taken. */
const refusal = 10_000;
/** A gap this much longer than a beat, or a step back in time, is an absence. */
const tolerance = 2000;

export interface Presence extends Loop {
  /** Since when this process watches without a gap, in epoch milliseconds. */
  observingSince(): number;
  /**
   * Leaves a sign of life now. Whoever is about to judge silence asks for it first: a gap is then known of. Rejects while
   * the store takes no writes or no ping could be taken.
   */
  confirm(): Promise<void>;
  /** Milliseconds since the last sign of life was taken, and why if that is long. */
  silence(): { ms: number; reason: string };
}

/**
 * Leaves a sign of life every second, and notices when there was none:
 * 1. At the start, the time since the last sign of life is an absence.
 *    Pings taken meanwhile are written down first.
 * 2. A beat that comes late, or at an earlier time than the one before (suspended, stalled, clock set), is one too.
 * 3. While no ping can be taken (no descriptors, a store that refuses them) there is no beat, and that time is an
 *    absence however short.
 */
export async function startPresence(
  deps: Deps,
  store: Store,
  instance: { name: string; region: number },
  pings: Pick<PingRecorder, 'settled' | 'refusedAt'>,
): Promise<Presence> {
  const { clock, log } = deps;
  const startedAt = clock.now();
  const known = await store.db
    .selectFrom('presence')
    .select('alive_at')
    .where('instance', '=', instance.name)
    .executeTakeFirst();
  if (known) {
    await pings.settled();
    await recordAbsence(store, instance, known.alive_at, startedAt);
  }
  await store.write((trx) =>
    trx
      .insertInto('presence')
      .values({ instance: instance.name, region: instance.region, started_at: startedAt, alive_at: startedAt })
      .onConflict((conflict) =>
        conflict
          .column('instance')
          .doUpdateSet({ started_at: startedAt, alive_at: startedAt, region: instance.region }),
      )
      .execute(),
  );

  let observingSince = startedAt;
  let lastBeat = startedAt;
  let lastTaken = clock.monotonic();
  let deaf: string | null = null;
  const beatOnce = async () => {
    const now = clock.now();
    const why = deafness(pings, now);
    if (why !== null) {
      deaf = why;
      throw new Error(`${why} Silence is not judged.`);
    }
    const gap = now - lastBeat;
    if (gap > beat + tolerance || gap < 0 || deaf !== null) {
      log.warn({ from: lastBeat, to: now }, 'nobody watched for a while: that time is not counted');
      // Pings that came in while the store was gone are given back what followed them too.
      await pings.settled();
      await recordAbsence(store, instance, lastBeat, now);
      observingSince = now;
      deaf = null;
    } else {
      await store.write(
        async (trx) => {
          await trx.updateTable('presence').set({ alive_at: now }).where('instance', '=', instance.name).execute();
          await trx.updateTable('region').set({ seen_at: now }).where('id', '=', instance.region).execute();
        },
        { durable: false },
      );
    }
    lastBeat = now;
    lastTaken = clock.monotonic();
  };

  let beating: Promise<void> = Promise.resolve();
  const confirm = () => {
    beating = beating.then(beatOnce, beatOnce);
    return beating;
  };
  const loop = startLoop(deps, 'presence', async () => {
    await confirm();
    return beat;
  });
  return {
    ...loop,
    confirm,
    observingSince: () => observingSince,
    silence: () => ({
      ms: clock.monotonic() - lastTaken,
      reason: deaf ?? 'The store takes no writes.',
    }),
  };
}

/** Why a job that pings would not be heard now, or null. */
function deafness(pings: Pick<PingRecorder, 'refusedAt'>, now: number): string | null {
  if (outOfDescriptors()) return 'The process has no file descriptors left.';
  const refused = pings.refusedAt();
  return refused !== null && now >= refused && now - refused < refusal ? 'The store takes no pings.' : null;
}
