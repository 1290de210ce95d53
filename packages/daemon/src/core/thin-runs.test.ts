import { array, assert, constantFrom, integer, property, record } from 'fast-check';
import { expect, test } from 'vitest';
import { createRunThinning, minShare, type Thinned } from './thin-runs.ts';

const resultsOf = (verdicts: readonly string[]) =>
  verdicts.map((verdict, at) => ({ seq: at + 1, monitor: 1, verdict, at, thinned: null as Thinned | null }));
type Result = ReturnType<typeof resultsOf>[number];

/** Returns the results that are left after a pass (see `RunThinning`). Each batch has `pieceSize` results. */
const thinned = (results: readonly Result[], pieceSize: number): Result[] => {
  const { thin } = createRunThinning();
  const gone = new Set<number>();
  const marks = new Map<number, Thinned>();
  for (let at = 0; at < results.length; at += pieceSize) {
    const piece = thin(results.slice(at, at + pieceSize));
    for (const seq of piece.gone) gone.add(seq);
    for (const { seq, since, longestGapMs } of piece.following) marks.set(seq, { since, longestGapMs });
  }
  return results
    .filter(({ seq }) => !gone.has(seq))
    .map((result) => ({ ...result, thinned: marks.get(result.seq) ?? result.thinned }));
};
const keep = (verdicts: string) => thinned(resultsOf(verdicts.split('')), 10_000).map(({ verdict }) => verdict);

test('a pass deletes about half of the results in a long run of results with the same verdict', () => {
  expect(keep('uuuuuuu')).toHaveLength(4);
  expect(keep('u'.repeat(1000)).length).toBeLessThan(520);
});

test('the results on both sides of a change of verdict are kept', () => {
  const kept = thinned(resultsOf('uuuduuu'.split('')), 10_000).map(({ seq }) => seq);
  expect(kept).toEqual(expect.arrayContaining([3, 4, 5]));
});

test('a pass also deletes results if each batch has only one result of each monitor', () => {
  const results = Array.from({ length: 300 }, (_, at) => ({
    seq: at + 1,
    monitor: at % 100,
    verdict: 'u',
    at,
    thinned: null,
  }));
  expect(thinned(results, 50)).toHaveLength(200);
});

const queue = array(
  record({
    monitor: integer({ min: 1, max: 4 }),
    verdict: constantFrom('u', 'd', 'i'),
    gap: integer({ min: 1, max: 9 }),
  }),
  { maxLength: 80 },
).map((rows): Result[] => {
  let at = 0;
  return rows.map(({ monitor, verdict, gap }, row) => ({
    seq: row + 1,
    monitor,
    verdict,
    at: (at += gap),
    thinned: null,
  }));
});
const pieceSize = integer({ min: 1, max: 20 });

test('the size of the batches does not change which results are deleted', () => {
  assert(
    property(queue, pieceSize, (results, size) => {
      expect(thinned(results, size)).toEqual(thinned(results, 10_000));
    }),
  );
});

test('repeated passes keep only the first and last result of each monitor, and both results at each change of verdict', () => {
  assert(
    property(queue, pieceSize, (results, size) => {
      let left = results;
      for (let pass = 0; pass < 8; pass++) left = thinned(left, size);
      const isEnd = ({ verdict }: Result, at: number, own: readonly Result[]) =>
        own[at - 1]?.verdict !== verdict || own[at + 1]?.verdict !== verdict;
      const ends = [...Map.groupBy(results, ({ monitor }) => monitor).values()].flatMap((own) => own.filter(isEnd));
      expect(left.map(({ seq }) => seq)).toEqual(ends.map(({ seq }) => seq).toSorted((one, other) => one - other));
    }),
  );
});

const overShare = (results: readonly Result[], maxWaiting: number) => {
  const pass = createRunThinning();
  pass.thin(results);
  return [...pass.overShare(maxWaiting)];
};
const resultsOfMonitor = (monitor: number, verdicts: string) =>
  resultsOf(verdicts.split('')).map((result) => ({ ...result, monitor }));

test('the longest gap is never negative, even if steps of the clock reversed the times of the checks', () => {
  const results = resultsOf('uuuu'.split('')).map((result) => ({ ...result, at: 100 - result.at }));
  expect(thinned(results, 10_000).flatMap((result) => result.thinned ?? [])).toEqual([{ since: 100, longestGapMs: 0 }]);
});

test('a monitor that changes often exceeds its share, and a monitor with as many results of one verdict does not', () => {
  const queued = [...resultsOfMonitor(1, 'ud'.repeat(30)), ...resultsOfMonitor(2, 'u'.repeat(60))];
  expect(overShare(queued, 80)).toEqual([1]);
});

test('a monitor never exceeds its share if it has at most 20 results that no pass may delete', () => {
  const queued = [...resultsOfMonitor(1, 'ud'.repeat(minShare / 2)), ...resultsOfMonitor(2, 'u'.repeat(50))];
  expect(overShare(queued, 2)).toEqual([]);
  expect(overShare([...queued, ...resultsOfMonitor(1, 'u')], 2)).toEqual([1]);
});

test('a result after deleted results names the last result before them, and the longest gap since that result', () => {
  assert(
    property(queue, pieceSize, integer({ min: 1, max: 5 }), (results, size, passes) => {
      let left = results;
      for (let pass = 0; pass < passes; pass++) left = thinned(left, size);
      for (const [monitor, all] of Map.groupBy(results, (result) => result.monitor)) {
        const kept = left.filter((result) => result.monitor === monitor);
        for (const [place, result] of kept.entries()) {
          const from = all.findIndex(({ seq }) => seq === kept[place - 1]?.seq);
          const since = all.slice(Math.max(0, from), all.findIndex(({ seq }) => seq === result.seq) + 1);
          const gaps = since.slice(1).map(({ at }, before) => at - since[before]!.at);
          const expected = gaps.length > 1 ? { since: since[0]!.at, longestGapMs: Math.max(...gaps) } : null;
          expect(result.thinned).toEqual(expected);
        }
      }
    }),
  );
});

test('if no monitor exceeds its share, repeated passes leave at most `maxWaiting` results, or 20 for each monitor if that is more', () => {
  assert(
    property(queue, integer({ min: 1, max: 60 }), (results, maxWaiting) => {
      let left = results;
      for (let pass = 0; pass < 8; pass++) left = thinned(left, 10_000);
      if (overShare(left, maxWaiting).length > 0) return;
      const monitors = new Set(results.map(({ monitor }) => monitor)).size;
      expect(left.length).toBeLessThanOrEqual(Math.max(maxWaiting, minShare * monitors));
    }),
  );
});
