import { planLimitNames } from '@uptime/sdk/contract';
import { expect, test } from 'vitest';
import { wordsOf } from './read-usage.ts';

test('every limit has a name in words', () => {
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
