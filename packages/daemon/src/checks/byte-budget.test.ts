import { describe, expect, test } from 'vitest';
import { brotliCompressSync } from 'node:zlib';
import { httpTarget, monitorOf, testContext } from '../testing/targets/index.ts';
import { createByteBudget } from './byte-budget.ts';
import { checkHttp } from './http.ts';

describe('a budget of bytes', () => {
  test('grants at once what there is, and the rest in order as it comes back', () => {
    const budget = createByteBudget(100, 100);
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

  test('keeps a share for others when one owner takes all it may', () => {
    const budget = createByteBudget(100, 50);
    const granted: string[] = [];
    for (const name of ['a', 'b', 'c']) budget.lease('greedy').take(25, () => granted.push(name));
    budget.lease('other').take(25, () => granted.push('other'));
    expect(granted).toEqual(['a', 'b', 'other']);
  });

  test('forgets a request whose lease ends, and what was granted beside it', () => {
    const budget = createByteBudget(100, 100);
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

  test('serves a request larger than itself once nothing else is held', () => {
    const budget = createByteBudget(10, 10);
    const granted: string[] = [];
    const small = budget.lease('x');
    small.take(1, () => granted.push('small'));
    budget.lease('x').take(50, () => granted.push('large'));
    expect(granted).toEqual(['small']);
    small.end();
    expect(granted).toEqual(['small', 'large']);
  });
});

describe('a check whose body finds no memory', () => {
  const body = brotliCompressSync('all is well');
  const url = (port: number) => ({
    type: 'http' as const,
    url: `http://127.0.0.1:${port}/`,
    bodyContains: 'all is well',
  });

  test('waits for it, and passes once there is some', async () => {
    const memory = createByteBudget(64 * 1024, 64 * 1024);
    const other = memory.lease('other');
    other.take(64 * 1024, () => {});
    await using target = await httpTarget((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'br' }).end(body, () => setImmediate(() => other.end()));
    });
    const outcome = await checkHttp(monitorOf({ ...url(target.port), timeout: 5 }), { ...testContext(), memory });
    expect(outcome).toMatchObject({ verdict: 'up' });
    expect(memory.held()).toBe(0);
  });

  test('ends as internal, never as a verdict on the target', async () => {
    for (const encoding of ['identity', 'br']) {
      const memory = createByteBudget(64 * 1024, 64 * 1024);
      const other = memory.lease('other');
      other.take(64 * 1024, () => {});
      await using target = await httpTarget((_request, response) => {
        response.writeHead(200, { 'content-encoding': encoding }).end(body);
      });
      const outcome = await checkHttp(monitorOf({ ...url(target.port), timeout: 1 }), { ...testContext(), memory });
      expect(outcome, encoding).toMatchObject({ verdict: 'internal' });
      other.end();
      expect(memory.held()).toBe(0);
    }
  });
});
