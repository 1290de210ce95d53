import { Feed } from 'feed';
import { escapeHtml, withoutControls } from './html.ts';
import type { PageLinks, PageView } from './view.ts';

/** Incidents and maintenance as an Atom feed (RFC 4287), the latest first. `links` are whole addresses. */
export function renderFeed(view: PageView, links: PageLinks): string {
  const name = withoutControls(view.name);
  const entries = [...view.open, ...view.current, ...view.planned, ...view.past].map((incident) => ({
    ...incident,
    changed: incident.updates.at(-1)?.at ?? incident.createdAt,
  }));
  const feed = new Feed({
    id: links.self,
    title: name,
    description: view.overall.sentence,
    link: links.self,
    feedLinks: { atom: links.feed },
    author: { name },
    generator: 'uptime',
    copyright: '',
    updated: new Date(Math.max(view.updatedAt, ...entries.map(({ changed }) => changed))),
  });
  for (const { number, title, maintenance, createdAt, updates, changed } of entries.toSorted(
    (a, b) => b.changed - a.changed,
  )) {
    feed.addItem({
      id: `${links.self}#incident-${number}`,
      // The library sends titles as HTML.
      title: escapeHtml(maintenance ? `Maintenance: ${title}` : title),
      link: links.self,
      date: new Date(changed),
      published: new Date(createdAt),
      content: updates
        .toReversed()
        .map(
          ({ status, message, at }) =>
            `<p><b>${status}</b> ${new Date(at).toISOString()}<br>${escapeHtml(message).replaceAll('\n', '<br>')}</p>`,
        )
        .join(''),
    });
  }
  return feed.atom1();
}
