import type { Store } from '../store/store.ts';
import { findByPublicId } from './load-history.ts';
import { aheadShownMs } from './load-incidents.ts';
import { findPage, mastheadOf } from './load-page.ts';
import { showIncident } from './show-incident.ts';
import type { IncidentPageView } from './view.ts';

const updatesShown = 25;
/** Maximum number of characters of a message. */
const maxCharacters = 10_000;
/** No incident has this many parts. Higher numbers are not looked up. */
const lastPart = 1000;

/**
 * Reads one incident with one part of its timeline. Part 1 has the latest updates. Null if the page does not show the
 * incident.
 */
export type LoadIncident = (
  slug: string,
  asked: { publicId: string; part: number },
  now: number,
) => Promise<IncidentPageView | null>;

export const createIncidentLoader =
  (store: Store): LoadIncident =>
  async (slug, { publicId, part }, now) => {
    const page = await findPage(store, slug);
    if (!page || part < 1 || part > lastPart) return null;
    const row = await findByPublicId(store, page, publicId);
    // Maintenance that begins more than 30 days ahead is not announced yet, so it has no page either.
    if (!row || row.started_at >= now + aheadShownMs) return null;
    const skip = (part - 1) * updatesShown;
    const incident = await showIncident(store, page, row, { maxUpdates: updatesShown, skip, maxCharacters });
    if (part > 1 && incident.updates.length === 0) return null;
    return { ...mastheadOf(page), madeAt: now, incident, part, lastPart: incident.whole };
  };
