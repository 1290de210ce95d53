import { HtmlValidate } from 'html-validate';
import { expect, test } from 'vitest';
import { incidentView, links, now } from '../testing/page-views.ts';
import { writeHistory } from './history-page.ts';
import type { Html } from './html.ts';
import { writeIncident } from './incident-page.ts';
import { missingPage } from '../pages/missing-page.ts';

const masthead = {
  name: 'Example <shop>',
  description: 'What "we" do',
  homeUrl: 'https://shop.example/',
  iconUrl: 'https://cdn.example/i.png',
  accentColor: '#ffd400',
  madeAt: now,
};
const text = (parts: Iterable<Html>) => [...parts].map(({ html }) => html).join('');
const history = text(
  writeHistory(
    {
      ...masthead,
      month: '2026-11',
      incidents: [incidentView()],
      older: { month: '2026-11', after: '7'.repeat(20) },
      newer: '2026-12',
    },
    links,
  ),
);
const part = (number: number, lastPart: boolean) =>
  text(writeIncident({ ...masthead, incident: incidentView(), part: number, lastPart }, links));

const validator = new HtmlValidate({ root: true, extends: ['html-validate:standard', 'html-validate:a11y'] });
test.each([
  ['a month of the history', history],
  [
    'an empty month of the history',
    text(writeHistory({ ...masthead, month: '2026-10', incidents: [], older: null, newer: null }, links)),
  ],
  ['an incident', part(1, true)],
  ['a middle part of an incident', part(2, false)],
  ['an unknown address', missingPage({ href: 'https://status.example/status/shop', label: 'Current status' })],
])('the page for %s is valid HTML', async (_, page) => {
  const report = await validator.validateString(page);
  expect(report.results.flatMap(({ messages }) => messages.map(({ message }) => message))).toEqual([]);
});

test('the history page of a month links to its incidents, its next part, other months and the main page', () => {
  const addresses = [...history.matchAll(/href="(https:\/\/status[^"]+)"/g)].map(([, href]) => href);
  expect(addresses).toEqual(
    expect.arrayContaining([
      links.self,
      `${links.base}/incidents/${'7'.repeat(20)}`,
      `${links.base}/history/2026-11?after=${'7'.repeat(20)}`,
      `${links.base}/history/2026-12`,
    ]),
  );
});

test('the page of an incident has the anchor of the incident, and links to other parts of the timeline', () => {
  expect(part(1, true)).toContain(`id="incident-${'7'.repeat(20)}"`);
  expect(part(1, true)).not.toContain('part=');
  expect(part(2, false)).toContain(`/incidents/${'7'.repeat(20)}?part=3`);
  expect(part(2, false)).toContain(`/incidents/${'7'.repeat(20)}"`);
});
