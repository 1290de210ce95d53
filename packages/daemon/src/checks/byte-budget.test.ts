import { describe, expect, test } from 'vitest';
import { brotliCompressSync } from 'node:zlib';
import { httpTarget, monitorOf, testContext } from '../testing/targets/index.ts';
import { createByteBudget } from './byte-budget.ts';
import { checkHttp } from './http.ts';

describe('a budget of bytes', () => {
  test('a budget grants free bytes at once, and grants waiting requests in order when bytes are returned', () => {
    const budget = createByteBudget(200);
    const granted: string[] = [];
    const [a, b, c] = [budget.lease('x'), budget.lease('x'), budget.lease('x')];
    a.take(80, () => granted.push('a'));
    b.take(50, () => granted.push('b'));
    c.take(10, () => granted.push('c'));
    expect(granted).toEqual(['a']);
    expect([a.waiting, b.waiting, c.waiting]).toEqual([false, true, true]);
    a.end();
    expect(granted).toEqual(['a', 'b', 'c']);
    expect(budget.held()).toBe(60);
    b.end();
    c.end();
    expect(budget.held()).toBe(0);
  });

  test('a budget keeps a share for other owners when one owner takes as much as possible', () => {
    const budget = createByteBudget(100);
    const granted: string[] = [];
    for (const name of ['a', 'b', 'c']) budget.lease('greedy').take(25, () => granted.push(name));
    budget.lease('other').take(25, () => granted.push('other'));
    expect(granted).toEqual(['a', 'b', 'other']);
  });

  test('a budget leaves room for a newcomer when several owners take as much as possible', () => {
    const budget = createByteBudget(1000);
    const granted = { one: 0, other: 0, newcomer: 0 };
    for (let asked = 0; asked < 1000; asked += 10)
      for (const owner of ['one', 'other'] as const) budget.lease(owner).take(10, () => (granted[owner] += 10));
    expect(granted.one + granted.other).toBe(budget.held());
    expect(Math.abs(granted.one - granted.other)).toBeLessThanOrEqual(10);
    budget.lease('newcomer').take(150, () => (granted.newcomer += 150));
    expect(granted.newcomer).toBe(150);
  });

  test('a budget serves the owner that holds the fewest bytes first', () => {
    const budget = createByteBudget(120);
    const granted: string[] = [];
    const all = budget.lease('x');
    all.take(120, () => {});
    budget.lease('greedy').take(30, () => granted.push('greedy 1'));
    budget.lease('greedy').take(20, () => granted.push('greedy 2'));
    budget.lease('other').take(20, () => granted.push('other'));
    all.end();
    expect(granted).toEqual(['greedy 1', 'other', 'greedy 2']);
  });

  test('a budget drops the waiting requests of a lease that ends, and takes back its granted bytes', () => {
    const budget = createByteBudget(200);
    const granted: string[] = [];
    const [a, b] = [budget.lease('x'), budget.lease('x')];
    a.take(90, () => granted.push('a'));
    b.take(10, () => granted.push('b'));
    b.take(20, () => granted.push('b2'));
    b.end();
    expect([budget.held(), b.waiting]).toEqual([90, false]);
    a.end();
    expect(granted).toEqual(['a', 'b']);
    expect(budget.held()).toBe(0);
  });

  test('a budget serves a request larger than the budget as soon as no other bytes are held', () => {
    const budget = createByteBudget(10);
    const granted: string[] = [];
    const small = budget.lease('x');
    small.take(1, () => granted.push('small'));
    budget.lease('x').take(50, () => granted.push('large'));
    expect(granted).toEqual(['small']);
    small.end();
    expect(granted).toEqual(['small', 'large']);
  });
});

describe('a check whose body gets no memory', () => {
  const body = brotliCompressSync('all is well');
  const url = (port: number) => ({
    type: 'http' as const,
    url: `http://127.0.0.1:${port}/`,
    bodyContains: 'all is well',
  });

  test('a check whose body gets no memory waits, and passes as soon as memory is free', async () => {
    const memory = createByteBudget(256 * 1024);
    const other = memory.lease('other');
    other.take(256 * 1024, () => {});
    await using target = await httpTarget((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'br' }).end(body, () => setImmediate(() => other.end()));
    });
    const outcome = await checkHttp(monitorOf({ ...url(target.port), timeout: 20 }), { ...testContext(), memory });
    expect(outcome).toMatchObject({ verdict: 'up' });
    expect(memory.held()).toBe(0);
  });

  test('a check whose body gets no memory ends as internal, and gives no verdict on the target', async () => {
    const end = async (encoding: string) => {
      const memory = createByteBudget(256 * 1024);
      const other = memory.lease('other');
      other.take(256 * 1024, () => {});
      await using target = await httpTarget((_request, response) => {
        response.writeHead(200, { 'content-encoding': encoding }).end(body);
      });
      const outcome = await checkHttp(monitorOf({ ...url(target.port), timeout: 5 }), { ...testContext(), memory });
      expect(outcome, encoding).toMatchObject({ verdict: 'internal' });
      other.end();
      expect(memory.held()).toBe(0);
    };
    await Promise.all([end('identity'), end('br')]);
  });
});
