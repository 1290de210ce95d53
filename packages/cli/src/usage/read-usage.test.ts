import { planLimitNames } from '@uptime/sdk/contract';
import { expect, test } from 'vitest';
import { wordsOf } from './read-usage.ts';

test('wordsOf returns a readable name for every limit', () => {
  expect(planLimitNames.map((name) => wordsOf({ name }))).toEqual([
    'projects',
    'monitors',
    'channels',
    'alert rules',
    'status pages',
    'custom domains',
    'incidents',
    'open incidents',
    'maintenance windows',
    'keys',
    'storage',
  ]);
});
