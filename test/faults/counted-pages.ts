import { httpTarget } from '../../packages/daemon/src/testing/targets/index.ts';

/** A target that notes when each of its pages was requested. */
export interface CountedPages extends AsyncDisposable {
  url(page: number): string;
  /**
   * Returns the pairs of requests for one page that came less than `withinMs` apart, with their times in epoch
   * milliseconds. The second request came too soon to be the next check.
   */
  tooSoon(withinMs: number): { page: string; first: number; second: number }[];
}

export async function countedPages(): Promise<CountedPages> {
  const times = new Map<string, number[]>();
  const target = await httpTarget((request, response) => {
    // The test target records each request. The records are dropped, because they would fill the memory.
    target.requests.length = 0;
    const page = request.url ?? '';
    const pageTimes = times.get(page);
    if (pageTimes) pageTimes.push(Date.now());
    else times.set(page, [Date.now()]);
    response.end('ok');
  });
  return {
    url: (page) => `${target.url}/${page}`,
    tooSoon: (withinMs) =>
      [...times].flatMap(([page, all]) =>
        all.flatMap((second, at) => {
          const first = all[at - 1] ?? -Infinity;
          return second - first < withinMs ? [{ page, first, second }] : [];
        }),
      ),
    [Symbol.asyncDispose]: () => target[Symbol.asyncDispose](),
  };
}
