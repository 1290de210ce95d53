import { expect, test } from 'vitest';
import { prometheusText } from './prometheus-text.ts';

test('prometheusText escapes quotes, backslashes and line breaks in a label, so that they cannot add a sample', () => {
  const value = 'a"} 1\nb\\';
  const text = prometheusText([
    { name: 'uptime_x', help: 'Help.', type: 'gauge', samples: [{ labels: { region: value }, value: 0.5 }] },
  ]);
  expect(text).toBe('# HELP uptime_x Help.\n# TYPE uptime_x gauge\nuptime_x{region="a\\"} 1\\nb\\\\"} 0.5\n');
});

test('prometheusText leaves out a metric without samples', () => {
  expect(prometheusText([{ name: 'uptime_x', help: 'Help.', type: 'counter', samples: [] }])).toBe('');
});
