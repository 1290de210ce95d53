import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test, vi } from 'vitest';
import { createFakeClock } from '../testing/fake-clock.ts';
import { links, monitorView, pageView } from '../testing/page-views.ts';
import type { LoadPage } from './load-page.ts';
import type { PageForm } from './forms.ts';
import { createPageCache, type Encoding } from './page-cache.ts';
import type { PageView } from './view.ts';

const none = async () => null;

/** Creates a page cache that reads pages with the function `load`. */
function setUp(load: LoadPage, loopDelayMs = () => 0) {
  const clock = createFakeClock();
  const warned = vi.fn();
  const getPage = createPageCache(
    { page: load, history: none, incident: none },
    { clock, log: { debug() {}, info() {}, warn: warned, error() {} } },
    loopDelayMs,
  );
  const get = (slug = 'shop', form: PageForm = 'json', encoding: Encoding = 'identity') =>
    getPage(slug, { form, encoding, place: links.self, links });
  /** Returns the page's JSON form, parsed; null if the page does not exist. */
  const getJson = async (slug?: string) => {
    const page = await get(slug);
    return page && (JSON.parse(page.body.toString()) as { name: string; madeAt: string });
  };
  return { clock, warned, get, getJson };
}

const named = (name: string, madeAt = 0): PageView => pageView({ name, madeAt });

test('requests for all formats share one read of the store, and the next read follows after a second', async () => {
  const load = vi.fn<LoadPage>(async (_, now) => named('a', now));
  const { clock, get } = setUp(load);
  await Promise.all(
    (['html', 'json', 'atom', 'svg'] as const).flatMap((form) =>
      (['identity', 'gzip', 'br'] as const).flatMap((encoding) =>
        Array.from({ length: 10 }, () => get('shop', form, encoding)),
      ),
    ),
  );
  await clock.advance(999);
  await get();
  expect(load).toHaveBeenCalledTimes(1);
  await clock.advance(1);
  await Promise.all([get(), get()]);
  expect(load).toHaveBeenCalledTimes(2);
});

test.each([
  [250, 1000],
  [350, 3000],
  [60_000, 10_000],
])('a page that takes %i ms to make is made again after %i ms', async (cost, after) => {
  const load = vi.fn<LoadPage>(async (_, now) => {
    await clock.advance(cost);
    return named('a', now);
  });
  const { clock, get } = setUp((slug, now) => load(slug, now));
  await get();
  await clock.advance(after - 1);
  await get();
  expect(load).toHaveBeenCalledTimes(1);
  await clock.advance(1);
  await get();
  expect(load).toHaveBeenCalledTimes(2);
});

test.each(['html', 'json'] as const)(
  'other work runs while a page of 1,000 monitors is written as %s',
  async (form) => {
    const { get } = setUp(async () => pageView({ monitors: Array.from({ length: 1000 }, () => monitorView()) }));
    let turns = 0;
    let writing = true;
    const turn = () => {
      turns++;
      if (writing) setImmediate(turn);
    };
    setImmediate(turn);
    await get('shop', form);
    writing = false;
    expect(turns).toBeGreaterThan(form === 'html' ? 50 : 10);
  },
);

test('a change appears on the page after a second', async () => {
  let name = 'before';
  const { clock, getJson } = setUp(async (_, now) => named(name, now));
  expect((await getJson())?.name).toBe('before');
  name = 'after';
  await clock.advance(1000);
  expect((await getJson())?.name).toBe('after');
});

test('while the store fails, the last page is served with the time at which it was made', async () => {
  let broken = false;
  const { clock, getJson, warned } = setUp(async (_, now) => {
    if (broken) throw new Error('locked');
    return named('last', now);
  });
  const first = await getJson();
  broken = true;
  await clock.advance(60_000);
  expect(await getJson()).toEqual(first);
  expect(warned).toHaveBeenCalledWith({ err: expect.objectContaining({ message: 'locked' }) }, expect.any(String));
  broken = false;
  expect(Date.parse((await getJson())!.madeAt)).toBe(Date.parse(first!.madeAt) + 60_000);
});

test('while the store hangs, requests wait for a second at most, and only one read runs', async () => {
  let answer: ((view: PageView) => void) | undefined;
  const load = vi.fn<LoadPage>(() => new Promise((resolve) => (answer = resolve)));
  const { clock, getJson } = setUp(load);
  const first = getJson();
  answer!(named('last'));
  await first;
  await clock.advance(5000);
  for (let turn = 0; turn < 3; turn++) {
    const asked = getJson();
    await clock.advance(1000);
    expect((await asked)?.name).toBe('last');
  }
  expect(load).toHaveBeenCalledTimes(2);
  expect(clock.waiting()).toBe(0);
  answer!(named('new'));
  await vi.waitFor(async () => expect((await getJson())?.name).toBe('new'), 10_000);
});

test('if the store fails and no page is cached, the request fails with the error of the store', async () => {
  const { get } = setUp(async () => {
    throw new Error('locked');
  });
  await expect(get()).rejects.toThrow('locked');
});

test('the cache forgets a deleted page, and asks the store again for a page that was missing', async () => {
  let there = true;
  const { clock, get } = setUp(async () => (there ? named('a') : null));
  expect(await get('none')).not.toBeNull();
  there = false;
  await clock.advance(1000);
  expect(await get('none')).toBeNull();
  there = true;
  expect(await get('none')).not.toBeNull();
});

test('each encoding of a page has its own ETag', async () => {
  const { get } = setUp(async () => named('a'));
  const [plain, gzip, br] = await Promise.all(
    (['identity', 'gzip', 'br'] as const).map((encoding) => get('shop', 'html', encoding)),
  );
  expect(gunzipSync(gzip!.body)).toEqual(plain!.body);
  expect(brotliDecompressSync(br!.body)).toEqual(plain!.body);
  expect(new Set([plain, gzip, br].map((page) => page!.etag)).size).toBe(3);
});

test('a page of 200 monitors over 90 days takes less than 40 kB when compressed', async () => {
  const monitors = Array.from({ length: 200 }, (_, at) => monitorView({}, at + 1));
  const { get } = setUp(async () => pageView({ monitors }));
  const page = await get('shop', 'html', 'br');
  expect(page!.body.length).toBeLessThan(40_000);
});

test('at most a thousand pages are cached', async () => {
  const load = vi.fn<LoadPage>(async () => named('a'));
  const { get } = setUp(load);
  for (let page = 0; page <= 1000; page++) await get(`page-${page}`, 'svg');
  await get('page-1000', 'svg');
  expect(load).toHaveBeenCalledTimes(1001);
  await get('page-0', 'svg');
  expect(load).toHaveBeenCalledTimes(1002);
});

test('an overloaded server serves the cached page, however old it is, and refuses a page that is not cached', async () => {
  const load = vi.fn<LoadPage>(async (_, now) => named('a', now));
  let delayMs = 99;
  const { clock, get, getJson } = setUp(load, () => delayMs);
  const made = (await getJson())!.madeAt;
  delayMs = 100;
  await clock.advance(3_600_000);
  expect((await getJson())!.madeAt).toBe(made);
  await expect(get('other')).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 5 });
  delayMs = 99;
  expect((await getJson())!.madeAt).not.toBe(made);
  expect(load).toHaveBeenCalledTimes(2);
});
