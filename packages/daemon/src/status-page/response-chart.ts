import { type Html, html } from './html.ts';

const chartWidth = 240;
const chartHeight = 32;

/** Average response times of the last 24 hours, with gaps for unobserved time. A line needs two hours in a row. */
export function responseChart(hours: readonly (number | null)[]): Html {
  const known = hours.filter((value) => value !== null);
  if (known.length === 0) return html`<p class="quiet">No response times in the last 24 hours</p>`;
  const highest = Math.max(...known);
  const average = Math.round(known.reduce((sum, value) => sum + value, 0) / known.length);
  const caption = html`Last 24 h: ${average} ms on average, ${Math.round(highest)} ms at most`;
  const path = lineOf(hours, highest);
  if (!path.includes('L')) return html`<p class="quiet">${caption}</p>`;
  return html`<figure>
    <svg viewBox="0 0 ${chartWidth} ${chartHeight}" preserveAspectRatio="none" aria-hidden="true">
      <path d="${path}" />
    </svg>
    <figcaption>${caption}</figcaption>
  </figure>`;
}

/** The line as an SVG path. An hour between two gaps is left out. */
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
