import { expect, test } from 'vitest';
import { incidentView, links, now, pageView, states } from '../testing/page-views.ts';
import { renderFeed } from './feed.ts';

const entries = (feed: string) => feed.match(/<entry>[\s\S]*?<\/entry>/g) ?? [];
const one = (text: string, tag: string) => new RegExp(`<${tag}[^>]*>([\\s\\S]*?)</${tag}>`).exec(text)?.[1];

test('a feed has the full addresses of itself and of its page, and the name of the page as title and author', () => {
  const feed = renderFeed(states['partly down'], links);
  expect(one(feed, 'id')).toBe(links.self);
  expect(one(feed, 'title')).toBe('Example shop');
  expect(one(one(feed, 'author')!, 'name')).toBe('Example shop');
  expect(feed).toContain(`<link rel="self" href="${links.feed}"/>`);
  expect(feed).toContain(`<link rel="alternate" href="${links.self}"/>`);
});

test('a feed lists the incident with the latest change first, and its `updated` is the time of that change', () => {
  const feed = renderFeed(
    pageView({
      open: [
        incidentView({ publicId: '1'.repeat(20), updates: [{ status: 'investigating', message: '', at: now - 9000 }] }),
      ],
      current: [incidentView({ publicId: '2'.repeat(20), maintenance: true, createdAt: now - 3_600_000, updates: [] })],
      past: [
        incidentView({ publicId: '3'.repeat(20), updates: [{ status: 'resolved', message: 'Back.', at: now - 5000 }] }),
      ],
    }),
    links,
  );
  const ids = ['3', '1', '2'].map((digit) => digit.repeat(20));
  expect(entries(feed).map((entry) => one(entry, 'id'))).toEqual(ids.map((id) => `${links.self}/incidents/${id}`));
  // Each link leads to the incident's anchor on the incident's own page.
  const hrefs = entries(feed).map((entry) => /<link href="([^"]+)"/.exec(entry)?.[1]);
  expect(hrefs).toEqual(ids.map((id) => `${links.self}/incidents/${id}#incident-${id}`));
  expect(one(feed, 'updated')).toBe(new Date(now - 5000).toISOString());
  expect(one(entries(feed)[2]!, 'title')).toContain('Maintenance in progress: Payments are slow');
});

test('in a feed, planned maintenance keeps the time of its announcement until someone adds an update', () => {
  const announced = { startedAt: now + 86_400_000, createdAt: now - 1000, updates: [] };
  const [feed, later] = [now, now + 5000].map((madeAt) =>
    renderFeed(pageView({ madeAt, planned: [incidentView(announced)] }), links),
  );
  expect(later).toBe(feed);
  for (const tag of ['updated', 'published'])
    expect(one(entries(feed!)[0]!, tag)).toBe(new Date(now - 1000).toISOString());
});

test('a feed announces maintenance, and the entry changes when the maintenance begins', () => {
  const window = incidentView({ maintenance: true, startedAt: now + 1000, createdAt: now - 9000, updates: [] });
  const at = (madeAt: number) => entries(renderFeed(pageView({ madeAt, current: [window] }), links))[0]!;
  expect(at(now)).toContain('Scheduled maintenance: Payments are slow');
  expect(at(now + 1000)).toContain('Maintenance in progress: Payments are slow');
  expect(one(at(now), 'updated')).toBe(new Date(now - 9000).toISOString());
  expect(one(at(now + 5000), 'updated')).toBe(new Date(now + 1000).toISOString());
});

test('a feed declares titles and messages as HTML, so their special characters are escaped', () => {
  const [entry] = entries(
    renderFeed(
      pageView({
        name: ']]>\u0000',
        open: [
          incidentView({
            title: '<img onerror=x>]]>',
            updates: [{ status: 'identified', message: '<script>\n]]>', at: now }],
          }),
        ],
      }),
      links,
    ),
  );
  expect(entry).toContain('<![CDATA[&lt;img onerror=x&gt;]]&gt;]]>');
  expect(entry).toContain('&lt;script&gt;<br>]]&gt;</p>]]>');
});

test('a page without incidents has an empty feed', () => {
  const feed = renderFeed(pageView(), links);
  expect(entries(feed)).toEqual([]);
  expect(one(feed, 'updated')).toBe(new Date(pageView().updatedAt).toISOString());
});
