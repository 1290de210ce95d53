import { expect, test } from 'vitest';
import { nextPage } from './paging.ts';

const now = { limit: 100 };

test.each([
  ['</api/monitors?limit=100&cursor=b>; rel="next"', { limit: '100', cursor: 'b' }],
  ['<https://elsewhere.example/api/monitors?cursor=b>; rel="next"', { cursor: 'b' }],
  ['<?cursor=b>; rel=next', { cursor: 'b' }],
  ['<?cursor=b>;rel="next"', { cursor: 'b' }],
  ['<?cursor=b>; REL="NEXT"', { cursor: 'b' }],
  ['<?cursor=b>; title="page"; rel="next"', { cursor: 'b' }],
  ['<?cursor=b#part>; rel="next"', { cursor: 'b' }],
  ['<?cursor=a>; rel="prev", <?cursor=c>; rel="next"', { cursor: 'c' }],
  ['<?cursor=c>; rel="next", <?cursor=a>; rel="prev"', { cursor: 'c' }],
  ['<?cursor=a%2Bb%3D%26c&name=K%C3%A4se>; rel="next"', { cursor: 'a+b=&c', name: 'Käse' }],
])('the Link header %s leads to the query %j', (link, query) => expect(nextPage(link, now)).toEqual(query));

test.each([
  null,
  '',
  '</api/monitors>; rel="next"',
  '</api/monitors?>; rel="next"',
  '<?cursor=a>; rel="prev"',
  '?cursor=a; rel="next"',
  'nonsense',
])('the Link header %j names no next page', (link) => {
  expect(nextPage(link, now)).toBeNull();
});

test('a page whose Link header names the page itself is the last page', () => {
  expect(nextPage('<?limit=100>; rel="next"', { limit: 100 })).toBeNull();
  expect(nextPage('<?limit=100&cursor=b>; rel="next"', { limit: '100', cursor: 'b' })).toBeNull();
  expect(nextPage('<?limit=100&cursor=c>; rel="next"', { limit: '100', cursor: 'b' })).not.toBeNull();
});
