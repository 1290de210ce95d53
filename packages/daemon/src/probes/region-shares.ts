import { chooseProbe } from '../core/rendezvous.ts';
import type { Versions } from '../core/version-buckets.ts';
import type { Clock } from '../deps.ts';
import { versionOf } from '../probe-protocol.ts';
import type { Store } from '../store/store.ts';
import { nextTurn } from '../wait.ts';
import { loadPage, maxInPage, type PageRow, signatureOf, signPage } from './region-pages.ts';

/** The monitors of each probe. */
type Shares = ReadonlyMap<string, Versions>;

/**
 * Some neighbouring monitors of the region, in the order of their numbers. A page ends where the next page begins. The
 * first number of a page stays the same, so that a new monitor changes only one page.
 */
interface Page {
  from: number;
  /** Changes when a monitor of the page is added, edited or removed. Null until the page is loaded. */
  signature: string | null;
  size: number;
  shares: Shares;
}

/** Maximum number of monitors whose probes are chosen in one turn of the event loop. */
const maxDividedAtOnce = 1000;
/** If a page is too full, it keeps this fraction of its monitors, so that it does not soon become full again. */
const keptFraction = 0.75;
/** If the pages are less full than this on average, they are built again. */
const sparseFraction = 0.2;

/** Divides the monitors of a region among its probes. */
export interface RegionShares {
  /** Reads what changed since the last call. Returns how long the work took, and how many monitors the region has. */
  read(probes: readonly string[]): Promise<{ workedMs: number; monitorCount: number }>;
  /** Returns the monitors of a probe: the same map object until one of these is changed or removed, or one is added. */
  of(probe: string): Versions | undefined;
}

export function createRegionShares(store: Store, clock: Pick<Clock, 'monotonicMs'>, region: number): RegionShares {
  let byProbe = new Map<string, Versions>();
  let known: readonly string[] = [];
  let pages: Page[] = [emptyPage(0)];
  const maxPageRows = maxInPage(store);
  /** Probes whose maps are out of date. They stay here if a read fails, so that the next read makes their maps. */
  const outdated = new Set<string>();

  const readPage = async (index: number, turns: Turns) => {
    const page = pages[index]!;
    const range = { region, from: page.from, until: pages[index + 1]?.from };
    if (page.signature !== null && page.signature === (await signPage(store, range))) return;
    let rows = await loadPage(store, range);
    if (rows.length > maxPageRows) {
      const cut = Math.floor(maxPageRows * keptFraction);
      pages.splice(index + 1, 0, emptyPage(rows[cut]!.seq));
      rows = rows.slice(0, cut);
    }
    const shares = await divide(rows, known, turns);
    for (const probe of known) if (!isSame(page.shares.get(probe), shares.get(probe))) outdated.add(probe);
    pages[index] = { from: page.from, signature: signatureOf(rows), size: rows.length, shares };
  };

  const renew = async (turns: Turns) => {
    const changed = await changedMaps(pages, { outdated, before: byProbe }, turns);
    byProbe = new Map(known.map((probe) => [probe, changed.get(probe) ?? byProbe.get(probe)!]));
    outdated.clear();
  };

  /** Makes the next read build all pages and maps again. */
  const reset = () => {
    pages = [emptyPage(0)];
    outdated.clear();
    for (const probe of known) outdated.add(probe);
  };

  return {
    of: (probe) => byProbe.get(probe),
    async read(probes) {
      const turns = startTurns(clock);
      if (probes.join(' ') !== known.join(' ')) {
        known = probes;
        reset();
      }
      // Without probes, for example if a daemon serves the region, no monitor has to be read. The number of pages may
      // grow during this loop, because a page that is too full is cut.
      for (let index = 0; probes.length > 0 && index < pages.length; index++) {
        await readPage(index, turns);
        await turns.waitForTurn();
      }
      if (outdated.size > 0 || probes.length === 0) await renew(turns);
      const monitorCount = pages.reduce((sum, page) => sum + page.size, 0);
      if (pages.length > 1 && monitorCount < pages.length * maxPageRows * sparseFraction) reset();
      return { workedMs: turns.workedMs(), monitorCount };
    },
  };
}

const emptyPage = (from: number): Page => ({ from, signature: null, size: 0, shares: new Map() });

type Turns = ReturnType<typeof startTurns>;

/**
 * Measures how long work takes. Its waits for a turn do not count, because other work of the event loop runs then. The
 * wait for a statement counts as work, because all nodes share PostgreSQL's processors.
 */
function startTurns(clock: Pick<Clock, 'monotonicMs'>) {
  let workedMs = 0;
  let begunMonoMs = clock.monotonicMs();
  return {
    async waitForTurn() {
      workedMs += clock.monotonicMs() - begunMonoMs;
      await nextTurn();
      begunMonoMs = clock.monotonicMs();
    },
    workedMs: () => workedMs + clock.monotonicMs() - begunMonoMs,
  };
}

const nothing: Versions = new Map();

const isPartOf = (part: Versions, whole: Versions): boolean =>
  [...part].every(([monitor, version]) => whole.get(monitor) === version);

const isSame = (one: Versions = nothing, other: Versions = nothing): boolean =>
  one.size === other.size && isPartOf(one, other);

/**
 * Makes new maps for the probes in `outdated`, and returns those that differ from the earlier maps. A map may stay the
 * same, for example after a page was cut.
 */
async function changedMaps(
  pages: readonly Page[],
  { outdated, before }: { outdated: ReadonlySet<string>; before: Shares },
  turns: Turns,
): Promise<Shares> {
  const made = new Map([...outdated].map((probe) => [probe, new Map<number, string>()]));
  const changed = new Set<string>();
  for (const { shares } of pages) {
    for (const [probe, monitors] of made) {
      const share = shares.get(probe) ?? nothing;
      for (const [monitor, version] of share) monitors.set(monitor, version);
      if (!isPartOf(share, before.get(probe) ?? nothing)) changed.add(probe);
    }
    await turns.waitForTurn();
  }
  return new Map([...made].filter(([probe, { size }]) => changed.has(probe) || size !== before.get(probe)?.size));
}

async function divide(rows: readonly PageRow[], probes: readonly string[], turns: Turns): Promise<Shares> {
  const shares = new Map(probes.map((probe) => [probe, new Map<number, string>()]));
  for (const [index, row] of rows.entries()) {
    if (index > 0 && index % maxDividedAtOnce === 0) await turns.waitForTurn();
    const probe = chooseProbe(row.seq, probes);
    if (probe !== null) shares.get(probe)!.set(row.seq, versionOf(row));
  }
  return shares;
}
