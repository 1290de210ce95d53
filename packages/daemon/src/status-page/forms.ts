import { renderBadge } from './badge.ts';
import { policyOf } from './document.ts';
import { renderFeed } from './feed.ts';
import type { Html } from './html.ts';
import { writeHistory } from './history-page.ts';
import { writeIncident } from './incident-page.ts';
import type { LoadHistory } from './load-history.ts';
import type { LoadIncident } from './load-incident.ts';
import type { LoadPage } from './load-page.ts';
import { jsonParts } from './page-json.ts';
import { createPageWriter } from './page.ts';
import type { HistoryView, IncidentPageView, PageLinks, PageView } from './view.ts';

/** The formats of a page. Parts of a page, such as a month of incidents, exist only as HTML. */
export type PageForm = 'html' | 'json' | 'atom' | 'svg';

/** The part of a page that is asked for: the page itself, a month of its incidents, or one incident. */
export type Part =
  | { kind: 'page'; from: number }
  | { kind: 'history'; month: string | null; after: string | null }
  | { kind: 'incident'; publicId: string; part: number };

export type View =
  | { kind: 'page'; view: PageView }
  | { kind: 'history'; view: HistoryView }
  | { kind: 'incident'; view: IncidentPageView };

export interface PageLoaders {
  page: LoadPage;
  history: LoadHistory;
  incident: LoadIncident;
}

/** Reads the part that is asked for; null if it does not exist. */
export async function loadPart(loaders: PageLoaders, slug: string, part: Part, now: number): Promise<View | null> {
  if (part.kind === 'history') {
    const view = await loaders.history(slug, part, now);
    return view && { kind: 'history', view };
  }
  if (part.kind === 'incident') {
    const view = await loaders.incident(slug, part, now);
    return view && { kind: 'incident', view };
  }
  const view = await loaders.page(slug, now);
  return view && { kind: 'page', view };
}

/** A page in one format. It is written piece by piece. */
export interface Form {
  type: string;
  /** The content security policy; null if the format is not HTML. */
  policy: string | null;
  pieces: Iterable<string>;
}

/** Returns a function that writes a page in a format. Call `createForms` once: its result caches texts of past days. */
export function createForms(): (view: View, form: PageForm, as: { links: PageLinks; from: number }) => Form {
  const writePage = createPageWriter();

  return ({ kind, view }, form, { links, from }) => {
    if (kind === 'page') {
      if (form === 'json')
        return { type: 'application/json; charset=utf-8', policy: null, pieces: jsonParts(view, links, from) };
      if (form === 'atom')
        return { type: 'application/atom+xml; charset=utf-8', policy: null, pieces: [renderFeed(view, links)] };
      if (form === 'svg') return { type: 'image/svg+xml; charset=utf-8', policy: null, pieces: [renderBadge(view)] };
    }
    const parts =
      kind === 'page'
        ? writePage(view, links)
        : kind === 'history'
          ? writeHistory(view, links)
          : writeIncident(view, links);
    return { type: 'text/html; charset=utf-8', policy: policyOf(view), pieces: textOf(parts) };
  };
}

function* textOf(parts: Iterable<Html>): Generator<string> {
  for (const { html } of parts) yield html;
}
