import { isRefused } from '../core/overload.ts';
import type { Clock, Logger } from '../deps.ts';
import { ServiceError } from '../errors.ts';
import { type Encoding, encodeForm, type PageBody } from './encode-form.ts';
import { createForms, loadPart, type PageForm, type PageLoaders, type Part } from './forms.ts';
import { createKeptPages, type KeptPage } from './kept-pages.ts';
import type { PageLinks } from './view.ts';

export type { Encoding, PageBody } from './encode-form.ts';

/**
 * The parameters of a request. `place` is the page's address. The cache key contains `place`, but not `links`. So the
 * same `place` must always come with equal `links`.
 */
export interface AskedForm {
  form: PageForm;
  encoding: Encoding;
  place: string;
  links: PageLinks;
  /** Absent means the page itself. */
  part?: Part;
}

/** Returns a page or a part of it in one format; null if it does not exist. */
export type GetPage = (slug: string, asked: AskedForm) => Promise<PageBody | null>;

/** At this age, a page is read and rendered again when it is next requested. */
const freshForMs = 1000;
/** A page is slow if reading and rendering it takes longer than this. */
const usualCostMs = 250;
/**
 * A slow page is used for longer. Each millisecond of its cost above `usualCostMs` adds this many milliseconds. So
 * making pages takes only a small share of the process's time.
 */
const freshPerCost = 20;
/** Maximum time for which a slow page is used before it is made again. */
const maxFreshMs = 10_000;
/**
 * How long a request waits for the store. After this time the request gets the cached page, if there is one.
 */
const waitAtMostMs = 1000;
/** Maximum number of pages that are read from the store at once. Further pages wait for their turn. */
const maxLoadsAtOnce = 8;
/** Estimated bytes of a view: a base, and an amount for each of its monitors. */
const [bytesOfView, bytesOfMonitor] = [4096, 8192];

const wholePage: Part = { kind: 'page', from: 0 };

/**
 * Caches each page for a second, or longer if the page is slow, in every requested format and encoding. Simultaneous
 * requests share one read of the store. While the store does not answer, the cached page is served; the page says when
 * it was made. An overloaded server makes no pages: it serves cached pages, and refuses a page that is not cached.
 */
export function createPageCache(
  loaders: PageLoaders,
  { clock, log }: { clock: Clock; log: Logger },
  loopDelayMs: () => number,
): GetPage {
  const formOf = createForms();
  const kept = createKeptPages();
  const loading = new Map<string, Promise<KeptPage | null>>();
  const inTurn = createTurns(maxLoadsAtOnce);
  const addCost = (entry: KeptPage, sinceMonoMs: number) => {
    entry.costMs += clock.monotonicMs() - sinceMonoMs;
  };

  const reload = async (key: string, slug: string, part: Part): Promise<KeptPage | null> => {
    try {
      const begunMonoMs = clock.monotonicMs();
      const view = await loadPart(loaders, slug, part, clock.now());
      kept.forget(key);
      if (!view) return null;
      const fresh: KeptPage = { view, madeMonoMs: clock.monotonicMs(), costMs: 0, bodies: new Map(), bytes: 0 };
      kept.add(key, fresh);
      addCost(fresh, begunMonoMs);
      kept.count(key, fresh, bytesOfView + (view.kind === 'page' ? view.view.monitors.length * bytesOfMonitor : 0));
      return fresh;
    } finally {
      loading.delete(key);
    }
  };

  const current = async (key: string, slug: string, part: Part): Promise<KeptPage | null> => {
    const last = kept.get(key);
    if (last && clock.monotonicMs() - last.madeMonoMs < freshFor(last)) return last;
    let fresh = loading.get(key);
    if (!fresh && isRefused('page', loopDelayMs())) {
      if (last) return last;
      throw new ServiceError('unavailable', 'The server has too much to do to make this page. Try again soon.', {
        retryAfterSeconds: 5,
      });
    }
    if (!fresh) {
      fresh = inTurn(() => reload(key, slug, part));
      loading.set(key, fresh);
    }
    return last ? orLast({ clock, log }, fresh, last) : fresh;
  };

  return async (slug, { form, encoding, place, links, part = wholePage }) => {
    const key = keyOf(slug, part);
    const entry = await current(key, slug, part);
    if (!entry) return null;
    const from = part.kind === 'page' ? part.from : 0;
    const name = `${form} ${encoding} ${from} ${place}`;
    const known = entry.bodies.get(name);
    if (known) return known;
    const begunMonoMs = clock.monotonicMs();
    const body = encodeForm(formOf(entry.view, form, { links, from }), encoding);
    entry.bodies.set(name, body);
    const made = await body;
    addCost(entry, begunMonoMs);
    kept.count(key, entry, made.body.length);
    return made;
  };
}

/** Returns the new page, or the cached page if the new page takes too long or fails. */
function orLast(
  { clock, log }: { clock: Clock; log: Logger },
  fresh: Promise<KeptPage | null>,
  last: KeptPage,
): Promise<KeptPage | null> {
  return new Promise((resolve) => {
    const cancel = clock.after(waitAtMostMs, () => resolve(last));
    fresh
      .then(resolve, (error: unknown) => {
        log.warn({ err: error }, 'a status page could not be made; the cached page is served');
        resolve(last);
      })
      .finally(cancel);
  });
}

const freshFor = ({ costMs }: KeptPage): number =>
  Math.min(maxFreshMs, freshForMs + freshPerCost * Math.max(0, costMs - usualCostMs));

/** Returns the cache key of a view. All formats of a page share one view. */
function keyOf(slug: string, part: Part): string {
  if (part.kind === 'page') return slug;
  return part.kind === 'history'
    ? `${slug} history ${part.month} ${part.after}`
    : `${slug} incident ${part.publicId} ${part.part}`;
}

/** Returns a function that runs up to `maxTurns` calls at once. Further calls wait, and begin in order of arrival. */
function createTurns(maxTurns: number) {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= maxTurns) await new Promise<void>((resolve) => waiting.push(resolve));
    else running++;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}
