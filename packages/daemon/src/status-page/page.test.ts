import { createHash } from 'node:crypto';
import { HtmlValidate } from 'html-validate';
import { expect, test } from 'vitest';
import { day, incidentView, links, monitorView, now, pageView, states } from '../testing/page-views.ts';
import { contentSecurityPolicy, createPageRenderer } from './page.ts';

const render = createPageRenderer();
const bars = (page: string) => page.match(/<i><\/i>/g)?.length ?? 0;

// What the HTML standard asks, and not how somebody likes it written.
const validator = new HtmlValidate({ root: true, extends: ['html-validate:standard', 'html-validate:a11y'] });

test.each(Object.entries(states))('%s: is HTML by the standard', async (_, view) => {
  const report = await validator.validateString(render(view, links));
  expect(
    report.results.flatMap(({ messages }) => messages.map(({ ruleId, message }) => `${ruleId}: ${message}`)),
  ).toEqual([]);
});

test('a service has ninety bars, and days of which there is the same to say are told of together', () => {
  const page = render(
    pageView({
      monitors: [
        monitorView({
          past: Array.from({ length: 89 }, (_, at) =>
            at < 40 ? day(89 - at) : day(89 - at, { up: 86_000_000, down: at === 60 ? 400_000 : 0 }),
          ),
          today: day(0, { maintenance: 60_000 }),
        }),
      ],
    }),
    links,
  );
  expect(bars(page)).toBe(90);
  expect(page.match(/data-day="[^"]+"/g)).toEqual([
    'data-day="24 Aug to 2 Oct: not observed"',
    'data-day="3 Oct to 22 Oct: 100 %"',
    'data-day="23 Oct: 99.53 %, 6 min 40 s down"',
    'data-day="24 Oct to 20 Nov: 100 %"',
    'data-day="21 Nov: 1 min maintenance"',
  ]);
  expect(page).toContain('the last 90 days: 99.99 % up, 23 Oct 6 min 40 s down"');
});

test('a day is never whole where there was downtime', () => {
  const page = render(pageView({ monitors: [monitorView({ today: day(0, { up: 40_000_000, down: 1 }) })] }), links);
  expect(page).toContain('<b class="p" data-day="21 Nov: 99.99 %, 0 s down">');
});

test('response times are a line with gaps where nothing was observed, and a lone hour a dot', () => {
  const hours = Array.from({ length: 24 }, (_, at) => (at === 3 ? 50 : at > 20 ? 100 : null));
  const page = render(pageView({ monitors: [monitorView({ responseTimes: hours })] }), links);
  expect(/<path d="(M[^"]+h0L[^"]+)"/.exec(page)?.[1]).toBe('M31 16h0M219 2h0L230 2L240 2');
  expect(page).toContain('Last 24 h: 88 ms on average, 100 ms at most');
});

test('names the first services that are down, and says how many more', () => {
  const down = Array.from({ length: 7 }, (_, at) => monitorView({ name: `S${at}`, state: 'down' }));
  const page = render(pageView({ monitors: [...down, monitorView()] }), links);
  const list = /role="status"[\s\S]*?<\/ul>/.exec(page)![0];
  expect(list.match(/<bdi>\w+/g)).toEqual(['<bdi>S0', '<bdi>S1', '<bdi>S2', '<bdi>S3', '<bdi>S4']);
  expect(list).toContain('and 2 more');
});

test('tells an incident by its latest word first, whom it affects, and how long it took', () => {
  const page = render(
    pageView({ past: [incidentView({ status: 'resolved', resolvedAt: now, monitors: ['A', 'B'] })] }),
    links,
  );
  expect(page).toContain('resolved after 1 h. Affects <bdi>A</bdi>, <bdi>B</bdi>.');
  expect(page.indexOf('<b>Identified</b>')).toBeLessThan(page.indexOf('<b>Investigating</b>'));
  expect(page).toContain('<time datetime="2026-11-21T11:34:56.000Z">2026-11-21 11:34 UTC</time>');
});

test('maintenance that was called off before it began is told so, on the day of that', () => {
  const resolved = { status: 'resolved', resolvedAt: now } as const;
  const planned = { maintenance: true, startedAt: now + 5 * 86_400_000, scheduledEnd: now + 6 * 86_400_000 };
  const past = [
    incidentView({ ...resolved, ...planned, title: 'Never' }),
    incidentView({ ...resolved, title: 'Then' }),
  ];
  const page = render(pageView({ past }), links);
  expect(page).toMatch(
    /Called off <time [^>]+>2026-11-21 12:34 UTC<\/time>; it was planned for <time [^>]+>2026-11-26/,
  );
  expect(page.match(/class="day">[^<]+/g)).toEqual(['class="day">21 Nov']);
});

test('is the same to the byte while nothing happens, for ten seconds', () => {
  const at = now - (now % 10_000);
  const [first, same, later] = [0, 9999, 10_000].map((ms) => render(pageView({ madeAt: at + ms }), links));
  expect(same).toBe(first);
  expect(later).not.toBe(first);
});

test('its policy allows its own style and script by their digests, and nothing of other hosts', () => {
  const page = render(pageView(), links);
  for (const kind of ['style', 'script']) {
    const [, text] = new RegExp(`<${kind}>([\\s\\S]*?)</${kind}>`).exec(page)!;
    const digest = createHash('sha256').update(text!).digest('base64');
    expect(contentSecurityPolicy).toContain(`${kind}-src 'sha256-${digest}'`);
  }
  expect(contentSecurityPolicy).toMatch(/^default-src 'none'/);
  expect(contentSecurityPolicy).not.toMatch(/unsafe|\*|https?:/);
  expect(page).not.toMatch(/\sstyle=|\son\w+=|<script [^>]*src|<link rel="stylesheet"/);
});

test('ten monitors over 90 days are under 40 kB, style and script included', () => {
  const monitors = Array.from({ length: 10 }, (_, at) => monitorView({}, at + 1));
  expect(Buffer.byteLength(render(pageView({ monitors }), links))).toBeLessThan(40_000);
});
