import { array, assert, constantFrom, property } from 'fast-check';
import { expect, test } from 'vitest';
import { deletableResults } from './thin-runs.ts';

const keep = (verdicts: string) => {
  const results = verdicts.split('').map((verdict, at) => ({ seq: at + 1, monitor: 1, verdict }));
  const gone = deletableResults(results);
  return results.filter(({ seq }) => !gone.includes(seq)).map(({ verdict }) => verdict);
};

test('a long run of results with the same verdict loses about half of them', () => {
  expect(keep('uuuuuuu')).toHaveLength(4);
  expect(keep('u'.repeat(1000)).length).toBeLessThan(520);
});

test('the results on both sides of a change of verdict are kept', () => {
  const gone = deletableResults('uuuduuu'.split('').map((verdict, at) => ({ seq: at, monitor: 1, verdict })));
  expect(gone).not.toContain(2);
  expect(gone).not.toContain(3);
  expect(gone).not.toContain(4);
});

test('repeated thinning keeps the order in which verdicts change', () => {
  const changes = (verdicts: readonly string[]) => verdicts.filter((verdict, at) => verdict !== verdicts[at - 1]);
  assert(
    property(array(constantFrom<string[]>('u', 'd', 'i'), { maxLength: 60 }), (verdicts) => {
      let left = verdicts;
      for (let times = 0; times < 5; times++) left = keep(left.join(''));
      expect(changes(left)).toEqual(changes(verdicts));
    }),
  );
});
