import { Feed } from 'feed';
import { escapeHtml } from './html.ts';
import type { PageLinks, PageView } from './view.ts';

/** Incidents and maintenance as an Atom feed (RFC 4287), the latest first. `links` are whole addresses. */
export function renderFeed(view: PageView, links: PageLinks): string {
  const entries = [...view.open, ...view.current, ...view.planned, ...view.past];
  const changed = entries.map(({ updates, startedAt }) =>
    Math.max(updates.at(-1)?.at ?? 0, Math.min(startedAt, view.madeAt)),
  );
  const feed = new Feed({
    id: links.self,
    title: view.name,
    description: view.overall.sentence,
    link: links.self,
    feedLinks: { atom: links.feed },
    copyright: '',
    updated: new Date(Math.max(...changed, 0) || view.madeAt),
  });
  entries.forEach(({ number, title, maintenance, startedAt, updates }, index) => {
    feed.addItem({
      id: `${links.self}#incident-${number}`,
      title: maintenance ? `Maintenance: ${title}` : title,
      link: links.self,
      date: new Date(changed[index]!),
      published: new Date(startedAt),
      content: updates
        .map(
          ({ status, message, at }) =>
            `<p><b>${status}</b> ${new Date(at).toISOString()}<br>${escapeHtml(message)}</p>`,
        )
        .join(''),
    });
  });
  return feed.atom1();
}
