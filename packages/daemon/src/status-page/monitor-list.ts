import { type Html, html } from './html.ts';
import { createMonitorRowRenderer } from './monitor-row.ts';
import { roundedTime } from './rounded-time.ts';
import type { MonitorView, PageView } from './view.ts';
import { dayName } from './words.ts';

/** If a page has more services than this, each service has one row without a chart. */
const maxWithChart = 8;
/** Number of services in one piece of the page. */
const slice = 20;
/** The order of services by state. */
const urgency: Record<MonitorView['state'], number> = { down: 0, maintenance: 1, unknown: 2, paused: 2, up: 3 };

/** Returns a function that writes a page's services in pieces. Services that are not up come first. */
export function createMonitorListRenderer(): (view: PageView) => Generator<Html> {
  const renderMonitorRow = createMonitorRowRenderer();

  return function* ({ monitors, grouped, madeAt }) {
    if (monitors.length === 0) {
      yield html`<p class="quiet">This page shows no services yet.</p>`;
      return;
    }
    const compact = monitors.length > maxWithChart;
    if (compact) yield axis(monitors[0]!);
    for (const [name, ofGroup] of groupsOf(monitors, grouped)) {
      if (name !== null) yield html`<h3 class="group" dir="auto">${name}</h3>`;
      // The list's tags are plain strings. In a template, the code formatter would close the list at once.
      yield { html: `<ul class="services${compact ? ' compact' : ''}">` };
      for (let at = 0; at < ofGroup.length; at += slice) {
        const some = ofGroup.slice(at, at + slice);
        yield html`${some.map((one) =>
          renderMonitorRow(one, { compact, level: name === null ? 3 : 4, now: roundedTime(madeAt) }),
        )}`;
      }
      yield { html: '</ul>' };
    }
    yield key;
  };
}

/**
 * Returns the services in groups, by their values of the page's label. Groups with a service that is down come before
 * the other groups. Services without the label form one group. If one of them is down, their group is the last of the
 * groups with a service that is down. Otherwise it is the last of all groups. If no service has the label, there is one
 * group without a name.
 */
function groupsOf(monitors: readonly MonitorView[], grouped: boolean): [name: string | null, MonitorView[]][] {
  const sorted = monitors.toSorted((a, b) => urgency[a.state] - urgency[b.state]);
  if (!grouped || monitors.every(({ group }) => group === null)) return [[null, sorted]];
  const order = [...new Set(monitors.map(({ group }) => group))];
  const urgencyOf = (ones: readonly MonitorView[]) => urgency[ones[0]!.state];
  const groups = Map.groupBy(sorted, ({ group }) => group);
  return [...groups]
    .toSorted(([a, ofA], [b, ofB]) => {
      const [troubleA, troubleB] = [urgencyOf(ofA) === 0, urgencyOf(ofB) === 0];
      if (troubleA !== troubleB) return troubleA ? -1 : 1;
      if ((a === null) !== (b === null)) return a === null ? 1 : -1;
      return order.indexOf(a) - order.indexOf(b);
    })
    .map(([name, ones]) => [name ?? 'Other services', ones]);
}

/** Returns the row that names the first and the last day of the bars below. */
const axis = ({ past, today }: MonitorView): Html =>
  html`<p class="axis"><span>${dayName((past[0] ?? today).day)}</span><span>Today</span></p>`;

/** Explains the bars, by shape as well as by colour. */
const key: Html = html`<p class="key" aria-hidden="true">
  ${[
    ['', 'Up'],
    ['d2', 'Down for a part of the day'],
    ['d6', 'Down all day'],
    ['m', 'Maintenance'],
    ['n', 'Not observed'],
  ].map(([kind = '', words = '']) => html`<span>${{ html: `<b class="${kind}"><em></em></b>` }}${words}</span>`)}
</p>`;
