import { NotFoundError } from '@uptime/sdk';
import { expect, test } from 'vitest';
import { find, type Findable } from './find.ts';

interface Box {
  id: string;
  key: string | null;
  name: string;
  slug: string;
}

const boxes: Box[] = [
  { id: 'box_1', key: 'large', name: 'Large box', slug: 'big' },
  { id: 'box_2', key: null, name: 'Twin', slug: 'left' },
  { id: 'box_3', key: null, name: 'Twin', slug: 'right' },
  { id: 'box_4', key: 'twin', name: 'large', slug: 'odd' },
];

const noun = { word: 'boxes', one: 'box', many: 'boxes' };

/**
 * Creates a function that finds boxes, the resources of these tests, on a server that filters. `queries` records the
 * queries.
 */
function searching(more: Partial<Findable<Box>> = {}) {
  const queries: object[] = [];
  const findable: Findable<Box> = {
    prefix: 'box_',
    async list(query) {
      queries.push(query);
      return boxes.filter(
        ({ key, name }) => (query.key ?? key) === key && (query.name === undefined || name === query.name),
      );
    },
    ...more,
  };
  return { queries, search: (word: string) => find(word, noun, findable) };
}

test('if a word matches several resources, the id is used rather than the key, and the key rather than the name', async () => {
  const { search } = searching();
  expect(await search('box_2')).toBe(boxes[1]);
  expect(await search('large')).toBe(boxes[0]);
  expect(await search('Large box')).toBe(boxes[0]);
});

test('find does not search a word as a key if no key can have that form', async () => {
  const { search, queries } = searching();
  await search('Large box');
  expect(queries).toEqual([{ name: 'Large box' }]);
});

test('find does not search a word as a key if resources of the kind have no keys', async () => {
  const { search, queries } = searching({ keyless: true });
  expect(await search('large')).toBe(boxes[3]);
  expect(queries).toEqual([{ name: 'large' }]);
});

test('find searches a unique alias, such as a slug, before the name', async () => {
  const { search } = searching({ alias: ({ slug }) => slug, by: 'id, key, slug or name' });
  expect(await search('right')).toBe(boxes[2]);
  await expect(search('rihgt')).rejects.toMatchObject({
    message: 'no box has the id, key, slug or name "rihgt"',
    next: 'did you mean "right"?',
  });
});

test('if the API can read a resource by its id, find reads the list only for an unknown id', async () => {
  const get = async (id: string) => {
    const found = boxes.find((box) => box.id === id);
    if (!found) throw new NotFoundError({ status: 404, code: 'not_found', title: 'Not found', detail: 'No such box.' });
    return found;
  };
  const { search, queries } = searching({ get });
  expect(await search('box_3')).toBe(boxes[2]);
  expect(queries).toEqual([]);
  await expect(search('box_9')).rejects.toMatchObject({ message: 'no box has the id, key or name "box_9"' });
  await expect(searching({ get: () => Promise.reject(new Error('down')) }).search('box_1')).rejects.toThrow('down');
});

test('if several resources have the same name, the error lists their ids, unless the noun has a rule to choose one', async () => {
  await expect(searching().search('Twin')).rejects.toMatchObject({
    message: '2 boxes are named "Twin"',
    next: 'use an id instead: box_2, box_3',
  });
  const { search } = searching({ prefer: (named) => named.filter(({ slug }) => slug === 'right') });
  expect(await search('Twin')).toBe(boxes[2]);
});

test('the error for an unknown word names the command that lists all names, and contains no control characters', async () => {
  await expect(searching().search('\u001b[2Jzzzzzzzz')).rejects.toMatchObject({
    message: 'no box has the id, key or name "zzzzzzzz"',
    next: '`uptime boxes list` lists all boxes',
  });
});

test('find returns the same resource on an old server that ignores filters', async () => {
  const { search } = searching({ list: async () => boxes });
  expect(await search('large')).toBe(boxes[0]);
  expect(await search('Large box')).toBe(boxes[0]);
  await expect(search('Twin')).rejects.toThrow('2 boxes are named');
});
