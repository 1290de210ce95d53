import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { cpuTimeMs } from '../testing/cpu-time.ts';
import { createBodySearch } from './body-search.ts';

const latin = (text: string) => Buffer.from(text, 'latin1');
const bodies: [name: string, body: Buffer, contentType: string | undefined][] = [
  ['UTF-8', Buffer.from(`${'😀ü'.repeat(400)}grüße 😀`), 'text/plain'],
  ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${'ü'.repeat(30)}grüße 😀`), 'text/plain; charset=latin1'],
  ['UTF-16 with a byte order mark', Buffer.from(`\ufeff${'ü'.repeat(700)}grüße 😀`, 'utf16le'), undefined],
  [
    'UTF-16 declared by its header',
    Buffer.from(`${'ü'.repeat(700)}grüße 😀`, 'utf16le'),
    'text/plain; charset=utf-16le',
  ],
  [
    'Shift_JIS declared by its header',
    Buffer.from([0x83, 0x65, 0x83, 0x58, 0x83, 0x67]),
    'text/plain; charset="shift_jis"',
  ],
  ['Latin-1 declared by its meta tag', latin(`<meta charset="windows-1252">${'ü'.repeat(1500)}grüße`), 'text/html'],
  ['Latin-1 declared by a late meta tag', latin(`${' '.repeat(900)}<meta charset=windows-1252>grüße`), 'text/html'],
];
const wantedIn = (name: string) =>
  name.startsWith('Shift') ? 'テスト' : name.startsWith('Latin') ? 'grüße' : 'grüße 😀';

test.each(bodies)('a body in %s is searched correctly, wherever it is split into chunks', (name, body, contentType) => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: body.length }), { maxLength: 6 }), (cuts) => {
      const search = createBodySearch(wantedIn(name), contentType);
      const edges = [0, ...cuts.toSorted((a, b) => a - b), body.length];
      let found = false;
      for (const [i, edge] of edges.slice(1).entries()) found ||= search.take(body.subarray(edges[i], edge));
      expect(found).toBe(true);
    }),
    { numRuns: 200 },
  );
});

test('a body that arrives byte by byte is searched correctly', () => {
  for (const [name, body, contentType] of bodies) {
    const search = createBodySearch(wantedIn(name), contentType);
    expect(
      body.some((_, at) => search.take(body.subarray(at, at + 1))),
      name,
    ).toBe(true);
  }
});

test('a charset declaration with very many spaces does not slow down the search', () => {
  const blanks = ' '.repeat(127 * 1024);
  const head = `${'<meta charset='.repeat(30)}${' '.repeat(600)}`;
  const from = cpuTimeMs();
  createBodySearch('x', `text/html; charset=${blanks}`).take(Buffer.from(head));
  expect(cpuTimeMs() - from).toBeLessThan(50);
});
