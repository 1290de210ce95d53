import { expect, test } from 'vitest';
import { responseChart } from './response-chart.ts';

const hours = (value: number | null) => Array.from({ length: 24 }, () => value);

test('if several regions check a monitor, each region has a line with the same scale, and the caption names the regions', () => {
  const { html } = responseChart(hours(80), [
    { region: 'eu', hours: hours(50) },
    { region: 'us', hours: hours(100) },
  ]);
  expect(html).toContain('<path class="r1" d="M0 16L10 16');
  expect(html).toContain('<path class="r2" d="M0 2L10 2');
  expect(
    html
      .replaceAll(/<[^>]+>/g, '')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  ).toBe('Last 24 h on average: eu 50 ms us 100 ms');
});

test('a chart has lines for five regions, and says how many more regions there are', () => {
  const regions = Array.from({ length: 7 }, (_, number) => ({ region: `r-${number}`, hours: hours(10) }));
  const { html } = responseChart(hours(10), regions);
  expect(html.match(/<path class=/g)).toHaveLength(5);
  expect(html).toContain('and 2 more regions');
});

test('regions have no lines if there is only one region, or if no region has values of two consecutive hours', () => {
  expect(responseChart(hours(80), [{ region: 'eu', hours: hours(80) }]).html).toContain('80 ms on average');
  const single = hours(null).with(3, 20);
  const { html } = responseChart(single, [
    { region: 'eu', hours: single },
    { region: 'us', hours: single },
  ]);
  expect(html).toContain('class="quiet"');
});
