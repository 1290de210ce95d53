import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Clock, Logger } from '../deps.ts';
import { renderBadge } from './badge.ts';
import { renderFeed } from './feed.ts';
import type { LoadPage } from './load-page.ts';
import { renderJson } from './page-json.ts';
import { createPageRenderer } from './page.ts';
import type { PageLinks, PageView } from './view.ts';

/** A page comes as a page, or in another form. */
export type PageForm = 'html' | 'json' | 'atom' | 'svg';
export type Encoding = 'identity' | 'gzip' | 'br';

export interface PageBody {
  type: string;
  etag: string;
  body: Buffer;
}

/** Gives pages out; null where there is no such page. `links` must be the same for each `place`. */
export type GetPage = (
  slug: string,
  as: { form: PageForm; encoding: Encoding; place: string; links: PageLinks },
) => Promise<PageBody | null>;

/** A page is made anew when it is asked for and this old, in milliseconds. */
const freshFor = 1000;
/** Nobody waits longer than this, in milliseconds, for a store that does not answer while there is an earlier page. */
const patience = 1000;
/** Smaller bodies gain nothing by being compressed. */
const worthCompressing = 1000;
const pagesKept = 1000;

interface Kept {
  view: PageView;
  /** On the monotonic clock. */
  madeAt: number;
  bodies: Map<string, Promise<PageBody>>;
}

/**
 * Keeps each page for a second, in every form and encoding that was asked for. Many who ask at once share one reading of
 * the store; while the store does not answer, the last page is given, which says when it was made.
 */
export function createPageCache(load: LoadPage, { clock, log }: { clock: Clock; log: Logger }): GetPage {
  const forms: Record<PageForm, { type: string; render: (view: PageView, links: PageLinks) => string }> = {
    html: { type: 'text/html; charset=utf-8', render: createPageRenderer() },
    json: { type: 'application/json; charset=utf-8', render: renderJson },
    atom: { type: 'application/atom+xml; charset=utf-8', render: renderFeed },
    svg: { type: 'image/svg+xml; charset=utf-8', render: renderBadge },
  };
  const kept = new Map<string, Kept>();
  const loading = new Map<string, Promise<Kept | null>>();

  const reload = async (slug: string): Promise<Kept | null> => {
    try {
      const view = await load(slug, clock.now());
      kept.delete(slug);
      if (!view) return null;
      const fresh = { view, madeAt: clock.monotonic(), bodies: new Map() };
      kept.set(slug, fresh);
      const [oldest] = kept.keys();
      if (kept.size > pagesKept && oldest !== undefined) kept.delete(oldest);
      return fresh;
    } finally {
      loading.delete(slug);
    }
  };

  const current = async (slug: string): Promise<Kept | null> => {
    const last = kept.get(slug);
    if (last && clock.monotonic() - last.madeAt < freshFor) return last;
    let fresh = loading.get(slug);
    if (!fresh) {
      fresh = reload(slug);
      loading.set(slug, fresh);
    }
    return last ? orLast(fresh, last) : fresh;
  };

  const orLast = (fresh: Promise<Kept | null>, last: Kept): Promise<Kept | null> =>
    new Promise((resolve) => {
      const cancel = clock.after(patience, () => resolve(last));
      fresh
        .then(resolve, (error: unknown) => {
          log.warn({ err: error }, 'a status page could not be made; the last one is served');
          resolve(last);
        })
        .finally(cancel);
    });

  return async (slug, { form, encoding, place, links }) => {
    const page = await current(slug);
    if (!page) return null;
    const name = `${form} ${encoding} ${place}`;
    let body = page.bodies.get(name);
    if (!body) {
      body = encoded(forms[form].render(page.view, links), forms[form].type, encoding);
      page.bodies.set(name, body);
    }
    return body;
  };
}

const compress = { gzip: promisify(gzip), br: promisify(brotliCompress) };

async function encoded(text: string, type: string, encoding: Encoding): Promise<PageBody> {
  const plain = Buffer.from(text);
  const digest = createHash('sha256').update(plain).digest('base64url').slice(0, 22);
  if (encoding === 'identity' || plain.length < worthCompressing) return { type, etag: `"${digest}"`, body: plain };
  const body =
    encoding === 'gzip'
      ? await compress.gzip(plain)
      : await compress.br(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } });
  return { type, etag: `"${digest}-${encoding}"`, body };
}
