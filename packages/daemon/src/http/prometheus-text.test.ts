import { expect, test } from 'vitest';
import { prometheusText } from './prometheus-text.ts';

test('quotes, backslashes and line breaks in a label are escaped, so that they cannot add a sample', () => {
  const value = 'a"} 1\nb\\';
  const text = prometheusText([
    { name: 'uptime_x', help: 'Help.', type: 'gauge', samples: [{ labels: { region: value }, value: 0.5 }] },
  ]);
  expect(text).toBe('# HELP uptime_x Help.\n# TYPE uptime_x gauge\nuptime_x{region="a\\"} 1\\nb\\\\"} 0.5\n');
});

test('a metric without samples is left out', () => {
  expect(prometheusText([{ name: 'uptime_x', help: 'Help.', type: 'counter', samples: [] }])).toBe('');
});
