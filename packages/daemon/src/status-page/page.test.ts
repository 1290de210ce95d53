import { createHash } from 'node:crypto';
import { HtmlValidate } from 'html-validate';
import { expect, test } from 'vitest';
import { day, incidentView, monitorView, now, pageView, states, written } from '../testing/page-views.ts';
import { policyOf } from './document.ts';
import type { PageView } from './view.ts';

const render = (view: PageView) => written(view);
const bars = (page: string) => page.match(/<i><\/i>/g)?.length ?? 0;

// The validator checks the rules of the HTML standard and of accessibility, not matters of taste.
const validator = new HtmlValidate({ root: true, extends: ['html-validate:standard', 'html-validate:a11y'] });

test.each(Object.entries(states))('a page in the state "%s" is valid HTML', async (_, view) => {
  const report = await validator.validateString(render(view));
  expect(
    report.results.flatMap(({ messages }) => messages.map(({ ruleId, message }) => `${ruleId}: ${message}`)),
  ).toEqual([]);
});

test('a service has ninety bars, and consecutive days with the same text share a label', () => {
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

test('the uptime of a day with downtime is never shown as 100 %', () => {
  const page = render(pageView({ monitors: [monitorView({ today: day(0, { up: 40_000_000, down: 1 }) })] }));
  expect(page).toContain('<b class="d1" data-day="21 Nov: 99.99 %, 0 s down">');
});

test('the line of response times has gaps for unobserved time, and leaves out a single hour between two gaps', () => {
  const hours = Array.from({ length: 24 }, (_, at) => (at === 3 ? 50 : at > 20 ? 100 : null));
  const page = render(pageView({ monitors: [monitorView({ responseTimes: hours })] }));
  expect(/<path d="(M[^"]+L[^"]+)"/.exec(page)?.[1]).toBe('M219 2L230 2L240 2');
  expect(page).toContain('Last 24 h: 88 ms on average, 100 ms at most');
});

test('a service with response times of only one hour shows them in words, without a line', () => {
  const hours = Array.from({ length: 24 }, (_, at) => (at === 23 ? 112 : null));
  const page = render(pageView({ monitors: [monitorView({ responseTimes: hours })] }));
  expect(page).toContain('Last 24 h: 112 ms on average, 112 ms at most');
  expect(page).not.toContain('<figure>');
});

test('a page names the first five services that are down, and says how many more are down', () => {
  const down = Array.from({ length: 7 }, (_, at) => monitorView({ name: `S${at}`, state: 'down' }));
  const page = render(pageView({ monitors: [...down, monitorView()] }));
  const list = /role="status"[\s\S]*?<\/ul>/.exec(page)![0];
  expect(list.match(/<bdi>\w+/g)).toEqual(['<bdi>S0', '<bdi>S1', '<bdi>S2', '<bdi>S3', '<bdi>S4']);
  expect(list).toContain('and 2 more');
});

test('a page shows an incident with its latest update first, its monitors and its duration', () => {
  const page = render(
    pageView({ past: [incidentView({ status: 'resolved', resolvedAt: now, monitors: ['A', 'B'] })] }),
  );
  expect(page).toContain('resolved after 1 h. Affects <bdi>A</bdi>, <bdi>B</bdi>.');
  expect(page.indexOf('<b>Identified</b>')).toBeLessThan(page.indexOf('<b>Investigating</b>'));
  expect(page).toContain('<time datetime="2026-11-21T11:34:56.000Z">2026-11-21 11:34 UTC</time>');
});

test('maintenance that was canceled before its start is shown as canceled, on the day of the cancellation', () => {
  const resolved = { status: 'resolved', resolvedAt: now } as const;
  const planned = { maintenance: true, startedAt: now + 5 * 86_400_000, scheduledEnd: now + 6 * 86_400_000 };
  const past = [
    incidentView({ ...resolved, ...planned, title: 'Never' }),
    incidentView({ ...resolved, title: 'Then' }),
  ];
  const page = render(pageView({ past }));
  expect(page).toMatch(
    /Called off <time [^>]+>2026-11-21 12:34 UTC<\/time>; it was planned for <time [^>]+>2026-11-26/,
  );
  expect(page.match(/class="day">[^<]+/g)).toEqual(['class="day">21 Nov']);
});

test('a page stays the same to the byte for ten seconds while nothing happens', () => {
  const at = now - (now % 10_000);
  const [first, same, later] = [0, 9999, 10_000].map((ms) => render(pageView({ madeAt: at + ms })));
  expect(same).toBe(first);
  expect(later).not.toBe(first);
});

test('the content security policy of a page without an icon allows its style and script by their digests, and no other host', () => {
  const page = render(pageView());
  const policy = policyOf(pageView());
  for (const kind of ['style', 'script']) {
    const [, text] = new RegExp(`<${kind}>([\\s\\S]*?)</${kind}>`).exec(page)!;
    const digest = createHash('sha256').update(text!).digest('base64');
    expect(policy).toContain(`${kind}-src 'sha256-${digest}'`);
  }
  expect(policy).toMatch(/^default-src 'none'/);
  expect(policy).not.toMatch(/unsafe|\*|https?:/);
  expect(page).not.toMatch(/\sstyle=|\son\w+=|<script [^>]*src|<link rel="stylesheet"/);
});

test("the head of a page has the owner's icon, home page, description and accent colour in a readable shade", () => {
  const presented = {
    description: 'What "we" run',
    homeUrl: 'https://shop.example/?a=1&b=2',
    iconUrl: 'https://cdn.example/icon.png?"x',
    accentColor: '#ffd400',
  };
  const page = render(pageView(presented));
  expect(page).toContain('<h1><a href="https://shop.example/?a=1&amp;b=2"><bdi>Example shop</bdi></a></h1>');
  expect(page).toContain('<meta name="description" content="What &quot;we&quot; run" />');
  expect(page).toContain('<img src="https://cdn.example/icon.png?&quot;x" alt="" width="40" height="40" />');
  const policy = policyOf(pageView(presented));
  expect(policy).toContain('img-src data: https://cdn.example;');
  const [, accent] = /<style>(:root\{--accent[^<]+)<\/style>/.exec(page)!;
  expect(policy).toContain(`'sha256-${createHash('sha256').update(accent!).digest('base64')}'`);
  expect(accent).not.toMatch(/^:root\{--accent:#ffd400\}/);
});

test('maintenance is scheduled before its start, in progress until its end, and then completed', () => {
  const window = incidentView({ maintenance: true, startedAt: now, scheduledEnd: now + 1000 });
  const status = (page: string) => /class="status[^"]*">([^<]+)/.exec(page)?.[1];
  expect(status(render(pageView({ madeAt: now - 1, planned: [window] })))).toBe('Scheduled');
  expect(status(render(pageView({ current: [window] })))).toBe('In progress');
  const over = { ...window, status: 'resolved' as const, resolvedAt: now + 1000 };
  expect(status(render(pageView({ madeAt: now + 2000, past: [over] })))).toBe('Completed');
});

test('a page of ten monitors over 90 days takes less than 40 kB, style and script included', () => {
  const monitors = Array.from({ length: 10 }, (_, at) => monitorView({}, at + 1));
  expect(Buffer.byteLength(render(pageView({ monitors })))).toBeLessThan(40_000);
});
