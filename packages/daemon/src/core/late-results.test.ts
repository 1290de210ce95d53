import { expect, test } from 'vitest';
import { type ArrivedResult, judgedResults } from './late-results.ts';

const now = 1_000_000;
const judgedOf = (verdicts: string, more: Partial<ArrivedResult> = {}) => {
  const results = verdicts.split('').map((letter, at): ArrivedResult => ({
    monitor: 1,
    at: now - (verdicts.length - at) * 1000,
    verdict: letter === 'u' ? 'up' : letter === 'd' ? 'down' : 'internal',
    over: false,
    ...more,
  }));
  const judged = judgedResults(results, now, () => 60_000);
  return results.map((result, at) => (judged.has(result) ? verdicts[at] : '-')).join('');
};

test('results since the last change of verdict may change the status, and earlier results may not', () => {
  expect(judgedOf('ddd')).toBe('ddd');
  expect(judgedOf('du')).toBe('-u');
  expect(judgedOf('uddduu')).toBe('----uu');
  expect(judgedOf('udu')).toBe('--u');
});

test('a checker fault has an effect only if no later check reached a verdict', () => {
  expect(judgedOf('ui')).toBe('ui');
  expect(judgedOf('iu')).toBe('-u');
});

test('a result may not change the status if it is too old, or if the probe has a later result with another verdict', () => {
  expect(judgedOf('dd', { over: true })).toBe('--');
  expect(judgedOf('d', { at: now - 180_001 })).toBe('-');
  expect(judgedOf('d', { at: now - 180_000 })).toBe('d');
});

test('a result that took up to ten seconds to arrive may change the status, however short the interval is', () => {
  const result: ArrivedResult = { monitor: 1, at: now - 9000, verdict: 'down', over: false };
  expect(judgedResults([result], now, () => 1000).size).toBe(1);
  expect(judgedResults([{ ...result, at: now - 11_000 }], now, () => 1000).size).toBe(0);
});

test('only results of the same monitor decide whether a result may change the status', () => {
  const down: ArrivedResult = { monitor: 1, at: now - 10, verdict: 'down', over: false };
  const up: ArrivedResult = { monitor: 2, at: now - 5, verdict: 'up', over: false };
  expect(judgedResults([down, up], now, () => 60_000).size).toBe(2);
});
