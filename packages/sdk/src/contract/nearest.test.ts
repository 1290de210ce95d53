import { expect, test } from 'vitest';
import { nearest } from './nearest.ts';

const fields = ['name', 'interval', 'timeout', 'retries', 'expectedStatus', 'url', 'key'];

test.each([
  ['nam', 'name'],
  ['names', 'name'],
  ['nmae', 'name'],
  ['NAME', 'name'],
  ['intervall', 'interval'],
  ['intreval', 'interval'],
  ['timout', 'timeout'],
  ['retrys', 'retries'],
  ['expectedstatus', 'expectedStatus'],
  ['expected_status', 'expectedStatus'],
  ['uri', 'url'],
  ['kez', 'key'],
])('the candidate nearest to %s is %s', (word, expected) => expect(nearest(word, fields)).toBe(expected));

test.each(['', 'xyz', 'description', 'u', 'toolong', 'labels'])('no candidate is near %j', (word) => {
  expect(nearest(word, fields)).toBeNull();
});

test('nearest returns the nearer candidate, or the first of two candidates that are equally near', () => {
  expect(nearest('regoin', ['regions', 'region'])).toBe('region');
  expect(nearest('bat', ['cat', 'hat'])).toBe('cat');
});

test('two neighbouring letters in the wrong order count as one edit', () => {
  expect(nearest('ab', ['ba'])).toBe('ba');
  expect(nearest('abc', ['cab'])).toBeNull();
});

test('an empty list of candidates has no nearest candidate', () => {
  expect(nearest('name', [])).toBeNull();
});
