import { isRetired, lastReportAt, silentAfterMs } from '../lifecycle/regions.ts';
import { restingProbes } from '../lifecycle/resting-probes.ts';
import { renderProbe } from '../probes/render-probe.ts';
import type { AnswerOf, Backend, Handler } from './handler.ts';
import { isoTime } from './iso-time.ts';

/** The text of a probe's fault may name targets of other projects, so only the operator gets this text. */
export const listRegions: Handler<'listRegions'> = async ({ headers }, backend) => {
  const [regions, isOperator] = await Promise.all([readRegions(backend), backend.isOperator(headers)]);
  if (isOperator) return regions;
  return regions.map((region) => ({ ...region, probes: region.probes.map(withoutReason) }));
};

type Region = AnswerOf<'listRegions'>[number];

const withoutReason = (probe: Region['probes'][number]): Region['probes'][number] =>
  probe.fault === null
    ? probe
    : { ...probe, fault: 'The probe has a fault. The operator of the server sees the reason.' };

/**
 * Resolves with the regions from which a daemon or probe has checked. Other regions exist only because projects name
 * them, and projects must not see each other's names.
 */
export async function readRegions({ store, deps }: Pick<Backend, 'store' | 'deps'>): Promise<AnswerOf<'listRegions'>> {
  const now = deps.clock.now();
  const rows = await store.db
    .selectFrom('region')
    .select(['id', 'name', 'seen_at', 'retired_at'])
    .where('seen_at', '>', 0)
    .orderBy('id')
    .execute();
  const probes = await store.db.selectFrom('probe').selectAll().orderBy('name').execute();
  const resting = restingProbes(probes, now);
  const shown = rows.filter((row) => !isRetired(row));
  return shown.map(({ id, name, seen_at }) => {
    const seenAt = lastReportAt(seen_at, now);
    const served = seenAt >= now - silentAfterMs;
    return {
      name,
      served,
      status: served ? ('reporting' as const) : ('unknown' as const),
      lastSeenAt: isoTime(seenAt),
      probes: probes.filter(({ region }) => region === id).map((row) => renderProbe(row, now, resting)),
    };
  });
}
