import { type Html, html } from './html.ts';
import type { RegionTimes } from './view.ts';

const chartWidth = 240;
const chartHeight = 32;
/** Maximum number of regions with a line of their own. style.ts has this many kinds of lines. */
const maxLines = 5;

/**
 * Returns a chart of the average response times of the last 24 hours, with gaps for unobserved time. A line needs
 * values of two consecutive hours. If several regions checked, each region has a line.
 */
export function responseChart(hours: readonly (number | null)[], regions: readonly RegionTimes[] = []): Html {
  const known = hours.filter((value) => value !== null);
  if (known.length === 0) return html`<p class="quiet">No response times in the last 24 hours</p>`;
  if (regions.length > 1) return regionChart(regions);
  const highest = Math.max(...known);
  const caption = html`Last 24 h: ${meanOf(known)} ms on average, ${Math.round(highest)} ms at most`;
  const path = lineOf(hours, highest);
  if (!path.includes('L')) return html`<p class="quiet">${caption}</p>`;
  return html`<figure>
    ${drawn(html`<path d="${path}" />`)}
    <figcaption>${caption}</figcaption>
  </figure>`;
}

/** Returns a chart with a line for each region, and a caption that names the regions with their averages. */
function regionChart(regions: readonly RegionTimes[]): Html {
  const shown = regions.slice(0, maxLines).map(({ region, hours }, index) => {
    const known = hours.filter((value) => value !== null);
    return { region, hours, kind: `r${index + 1}`, mean: meanOf(known), highest: Math.max(...known) };
  });
  const highest = Math.max(...shown.map((one) => one.highest));
  const lines = shown.map(({ hours, kind }) => ({ kind, path: lineOf(hours, highest) }));
  const left = regions.length - shown.length;
  const caption = html`Last 24 h on average:
  ${shown.map(
    ({ region, kind, mean }) =>
      html`<span class="${kind}"
        ><svg viewBox="0 0 24 8" aria-hidden="true"><path d="M0 4L24 4" /></svg>${region} ${mean} ms</span
      > `,
  )}${left > 0 ? html`and ${left} more ${left === 1 ? 'region' : 'regions'}` : null}`;
  if (lines.every(({ path }) => !path.includes('L'))) return html`<p class="quiet">${caption}</p>`;
  return html`<figure class="regions">
    ${drawn(lines.map(({ kind, path }) => (path.includes('L') ? html`<path class="${kind}" d="${path}" />` : null)))}
    <figcaption>${caption}</figcaption>
  </figure>`;
}

const drawn = (paths: Html | readonly (Html | null)[]): Html =>
  html`<svg class="chart" viewBox="0 0 ${chartWidth} ${chartHeight}" preserveAspectRatio="none" aria-hidden="true">
    ${paths}
  </svg>`;

const meanOf = (known: readonly number[]): number =>
  Math.round(known.reduce((sum, value) => sum + value, 0) / known.length);

/** Returns the line as an SVG path. An hour between two gaps is left out. */
function lineOf(hours: readonly (number | null)[], highest: number): string {
  const step = chartWidth / (hours.length - 1);
  let path = '';
  hours.forEach((value, index) => {
    const [before = null, after = null] = [hours[index - 1], hours[index + 1]];
    if (value === null || (before === null && after === null)) return;
    const [x, y] = [Math.round(index * step), Math.round((1 - value / (highest || 1)) * (chartHeight - 4) + 2)];
    path += `${before === null ? 'M' : 'L'}${x} ${y}`;
  });
  return path;
}
