import { Feed } from 'feed';
import { escapeHtml, withoutControls } from '../escape-html.ts';
import { anchorOf, permalink } from './incident-entry.ts';
import type { IncidentView, PageLinks, PageView } from './view.ts';
import { phaseOf, statusNameAt } from './words.ts';

/** Returns incidents and maintenance as an Atom feed (RFC 4287), the latest change first. `links` are absolute. */
export function renderFeed(view: PageView, links: PageLinks): string {
  const name = withoutControls(view.name);
  const entries = [...view.open, ...view.current, ...view.planned, ...view.past].map((incident) => ({
    incident,
    changed: changedAt(incident, view.madeAt),
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
  for (const { incident, changed } of entries.toSorted((a, b) => b.changed - a.changed)) {
    const address = permalink(incident, links.base);
    feed.addItem({
      id: address,
      // The library declares titles as HTML, so they are escaped here.
      title: escapeHtml(titleOf(incident, view.madeAt)),
      link: `${address}#${anchorOf(incident)}`,
      date: new Date(changed),
      published: new Date(incident.createdAt),
      content: contentOf(incident),
    });
  }
  return feed.atom1();
}

/** Returns when an entry last changed. Maintenance also changes when it begins, because its title changes then. */
const changedAt = ({ updates, createdAt, maintenance, startedAt }: IncidentView, now: number): number =>
  Math.max(updates.at(-1)?.at ?? createdAt, maintenance && startedAt <= now ? startedAt : 0);

function titleOf(incident: IncidentView, now: number): string {
  const phase = phaseOf(incident, now);
  if (phase === null) return incident.title;
  const words = {
    scheduled: 'Scheduled maintenance',
    in_progress: 'Maintenance in progress',
    completed: 'Maintenance completed',
    called_off: 'Maintenance called off',
  };
  return `${words[phase]}: ${incident.title}`;
}

const contentOf = (incident: IncidentView): string =>
  incident.updates
    .toReversed()
    .map(
      ({ status, message, at }) =>
        `<p><b>${statusNameAt(incident, status, at)}</b> ${new Date(at).toISOString()}<br>${escapeHtml(message).replaceAll('\n', '<br>')}</p>`,
    )
    .join('');
