import { expect, test } from 'vitest';
import { overlapsToBegin } from './overlaps-to-begin.ts';

const due = (project: string, monitor: number) => ({ monitor, project, lateMs: 5 });
const monitors = (chosen: readonly { monitor: number }[]) => chosen.map(({ monitor }) => monitor);
const room = { maxChecks: 10, mayOverlap: () => 10, latenessMs: () => 0 };

test('projects take turns to begin overlapping checks', () => {
  const all = [due('a', 1), due('a', 2), due('a', 3), due('b', 4)];
  expect(monitors(overlapsToBegin(all, room))).toEqual([1, 4, 2, 3]);
  expect(monitors(overlapsToBegin(all, { ...room, maxChecks: 2 }))).toEqual([1, 4]);
});

test('a project begins at most as many overlapping checks as `mayOverlap` says', () => {
  const all = [due('a', 1), due('a', 2), due('b', 3)];
  expect(monitors(overlapsToBegin(all, { ...room, mayOverlap: (project) => (project === 'a' ? 1 : 0) }))).toEqual([1]);
});

test('a project whose checks are more than a second late begins no overlapping check', () => {
  const all = [due('a', 1), due('b', 2)];
  const latenessMs = (project: string) => (project === 'a' ? 1001 : 1000);
  expect(monitors(overlapsToBegin(all, { ...room, latenessMs }))).toEqual([2]);
});
