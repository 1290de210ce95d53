import { createHash } from 'node:crypto';
import { nextTurn } from '../wait.ts';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { isRefused } from '../core/overload.ts';
import type { Clock, Logger } from '../deps.ts';
import { ServiceError } from '../errors.ts';
import { createForms, type Form, loadPart, type PageForm, type PageLoaders, type Part, type View } from './forms.ts';
import type { PageLinks } from './view.ts';

export type Encoding = 'identity' | 'gzip' | 'br';

export interface PageBody extends Pick<Form, 'type' | 'policy'> {
  etag: string;
  body: Buffer;
}

/** The parameters of a request. `links` must be the same for each `place`. */
export interface AskedForm {
  form: PageForm;
  encoding: Encoding;
  place: string;
  links: PageLinks;
  /** Absent means the page itself. */
  part?: Part;
}

/** Returns a form of a page; null if the page does not exist. */
export type GetPage = (slug: string, asked: AskedForm) => Promise<PageBody | null>;

/** A page of this age is made again at the next request. */
const freshForMs = 1000;
/** A page that takes longer than this to make … */
const usualCostMs = 250;
/** … is kept for this many times as long, so that it takes a small share of the process … */
const freshPerCost = 20;
/** … but no longer than this. */
const freshAtMostMs = 10_000;
/**
 * While the store does not answer, a request waits this long for it. Then it gets the earlier page, if there is one.
 */
const waitAtMostMs = 1000;
/** Pages that are read from the store at a time. Others wait for their turn. */
const loadsAtOnce = 8;
/** Compressing smaller bodies gains nothing. */
const worthCompressing = 1000;
const viewsKept = 1000;
/** Approximate limit of the cache, in bytes. */
const bytesKept = 64 * 1024 * 1024;
/** Estimated bytes of a view: a base, and an amount for each of its monitors. */
const [bytesOfView, bytesOfMonitor] = [4096, 8192];

interface Kept {
  view: View;
  /** On the monotonic clock. */
  madeAt: number;
  /** How long it took to make, and its forms. */
  costMs: number;
  bodies: Map<string, Promise<PageBody>>;
  bytes: number;
}

const wholePage: Part = { kind: 'page', from: 0 };

/**
 * Caches each page for a second, in every requested form and encoding. Simultaneous requests share one read of the
 * store. While the store does not answer, the last page is served, which shows when it was made. An overloaded server
 * makes no pages: it serves the last one, and refuses a page that it does not have.
 */
export function createPageCache(
  loaders: PageLoaders,
  { clock, log }: { clock: Clock; log: Logger },
  loopDelayMs: () => number,
): GetPage {
  const formOf = createForms();
  const kept = new Map<string, Kept>();
  const loading = new Map<string, Promise<Kept | null>>();
  const inTurn = createTurns(loadsAtOnce);
  let bytes = 0;

  const forget = (key: string) => {
    bytes -= kept.get(key)?.bytes ?? 0;
    kept.delete(key);
  };
  /** Counts the bytes of a view or one of its forms, and drops the oldest entries to make room. */
  const count = (key: string, entry: Kept, more: number) => {
    if (kept.get(key) !== entry) return;
    entry.bytes += more;
    bytes += more;
    for (const oldest of kept.keys()) {
      if ((kept.size <= viewsKept && bytes <= bytesKept) || oldest === key) break;
      forget(oldest);
    }
  };
  const spend = (entry: Kept, since: number) => {
    entry.costMs += clock.monotonicMs() - since;
  };

  const reload = async (key: string, slug: string, part: Part): Promise<Kept | null> => {
    try {
      const begun = clock.monotonicMs();
      const view = await loadPart(loaders, slug, part, clock.now());
      forget(key);
      if (!view) return null;
      const fresh: Kept = { view, madeAt: clock.monotonicMs(), costMs: 0, bodies: new Map(), bytes: 0 };
      kept.set(key, fresh);
      spend(fresh, begun);
      count(key, fresh, bytesOfView + (view.kind === 'page' ? view.view.monitors.length * bytesOfMonitor : 0));
      return fresh;
    } finally {
      loading.delete(key);
    }
  };

  const current = async (key: string, slug: string, part: Part): Promise<Kept | null> => {
    const last = kept.get(key);
    if (last && clock.monotonicMs() - last.madeAt < freshFor(last)) return last;
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
    return last ? orLast(fresh, last) : fresh;
  };

  const orLast = (fresh: Promise<Kept | null>, last: Kept): Promise<Kept | null> =>
    new Promise((resolve) => {
      const cancel = clock.after(waitAtMostMs, () => resolve(last));
      fresh
        .then(resolve, (error: unknown) => {
          log.warn({ err: error }, 'a status page could not be made; serving the last one');
          resolve(last);
        })
        .finally(cancel);
    });

  return async (slug, { form, encoding, place, links, part = wholePage }) => {
    const key = keyOf(slug, part);
    const entry = await current(key, slug, part);
    if (!entry) return null;
    const from = part.kind === 'page' ? part.from : 0;
    const name = `${form} ${encoding} ${from} ${place}`;
    const known = entry.bodies.get(name);
    if (known) return known;
    const begun = clock.monotonicMs();
    const body = encoded(formOf(entry.view, form, { links, from }), encoding);
    entry.bodies.set(name, body);
    const made = await body;
    spend(entry, begun);
    count(key, entry, made.body.length);
    return made;
  };
}

const freshFor = ({ costMs }: Kept): number =>
  Math.min(freshAtMostMs, freshForMs + freshPerCost * Math.max(0, costMs - usualCostMs));

/** The cache key of a view. All forms of a page share one view. */
function keyOf(slug: string, part: Part): string {
  if (part.kind === 'page') return slug;
  return part.kind === 'history'
    ? `${slug} history ${part.month} ${part.after}`
    : `${slug} incident ${part.publicId} ${part.part}`;
}

/** Runs `most` at a time, and the others in order of arrival. */
function createTurns(most: number) {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
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

const compress = { gzip: promisify(gzip), br: promisify(brotliCompress) };

/** Lets other work run between two pieces. */
async function encoded({ type, policy, pieces }: Form, encoding: Encoding): Promise<PageBody> {
  const hash = createHash('sha256');
  const buffers: Buffer[] = [];
  for (const piece of pieces) {
    const buffer = Buffer.from(piece);
    hash.update(buffer);
    buffers.push(buffer);
    await nextTurn();
  }
  const plain = Buffer.concat(buffers);
  const digest = hash.digest('base64url').slice(0, 22);
  if (encoding === 'identity' || plain.length < worthCompressing)
    return { type, policy, etag: `"${digest}"`, body: plain };
  const body =
    encoding === 'gzip'
      ? await compress.gzip(plain)
      : await compress.br(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } });
  return { type, policy, etag: `"${digest}-${encoding}"`, body };
}
