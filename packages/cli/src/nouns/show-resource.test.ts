import { expect, test } from 'vitest';
import { recordedContext } from '../testing/recorded-context.ts';
import { showResource } from './show-resource.ts';

test('on a terminal, fields in seconds are shown as durations, and other numbers unchanged', async () => {
  const { context, output } = recordedContext({ columns: 80 });
  const job = { id: 'mon_1', interval: 86_400, timeout: 90, gracePeriod: 1800, retries: 60, reminderInterval: 3600 };
  await showResource(context.io, job, { format: 'table', quiet: false });
  const shown = Object.fromEntries(
    output.stdout
      .trim()
      .split('\n')
      .map((line) => line.split(/:\s+/)),
  );
  expect(shown).toEqual({
    id: 'mon_1',
    interval: '1 d',
    timeout: '90 s',
    gracePeriod: '30 min',
    retries: '60',
    reminderInterval: '1 h',
  });
});
