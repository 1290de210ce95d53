import { expect, test } from 'vitest';
import { sources } from './read-sources.ts';
import { readDialectQuestions } from './room-tables.ts';

test('docs/architecture.md lists all files that ask which database they use', () => {
  const asking = sources
    .filter(({ path, code }) => /\bdialect\.(?:exclusive|name)\b/.test(code) && !path.includes('/migrations/'))
    .map(({ path }) => path.replace('packages/daemon/src/', ''));
  expect(readDialectQuestions().toSorted()).toEqual(asking.toSorted());
});
