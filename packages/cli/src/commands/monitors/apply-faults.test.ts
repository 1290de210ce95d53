import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDaemon, type TestDaemon } from '../../../../daemon/src/testing/test-daemon.ts';
import { openSession } from '../../testing/session.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await createTestDaemon();
});
afterAll(() => daemon.close());

/** What may happen to a request on its way. */
const faults: Record<string, (send: () => Promise<Response>) => Promise<Response>> = {
  'is cut before it arrives': () => Promise.reject(new TypeError('fetch failed')),
  'is cut before its answer comes back': async (send) => {
    await (await send()).arrayBuffer();
    throw new TypeError('fetch failed');
  },
  'is answered 429': () => Promise.resolve(problem(429)),
  'is answered 500': () => Promise.resolve(problem(500)),
};

const problem = (status: number) =>
  new Response(JSON.stringify({ status, code: 'internal', title: 'x', detail: 'It failed.' }), {
    status,
    headers: { 'content-type': 'application/problem+json', 'retry-after': '0' },
  });

const manifest = `monitors:\n${Array.from({ length: 20 }, (_, i) => `  - { name: m${i}, type: ping, host: m${i}.example, paused: true }\n`).join('')}`;

const cases = Object.keys(faults).flatMap((fault) =>
  [2, 11].flatMap((at) => [false, true].map((lasting) => [fault, at, lasting] as const)),
);

test.concurrent.each(cases)(
  'when a request %s (the %ith, from then on: %s), applying again makes it whole',
  async (fault, at, lasting) => {
    const user = await daemon.another(`faults-${at}-${lasting}-${fault.replaceAll(' ', '-')}`);
    let seen = 0;
    const flaky: typeof fetch = (input, init) => {
      seen++;
      const send = () => fetch(input, init);
      return seen === at || (lasting && seen > at) ? faults[fault]!(send) : send();
    };
    await using session = await openSession({ siteUrl: daemon.url, apiKey: user.apiKey, fetch });
    await session.write('m.yaml', manifest);
    const first = await session.uptime(['apply', '-f', 'm.yaml', '--yes'], { fetch: flaky });
    // The first request is the list: from the second on nothing is made, later some of it.
    if (lasting) expect(first.exit).toBe(at === 2 ? 1 : 3);

    expect(await session.uptime(['apply', '-f', 'm.yaml', '--yes'])).toMatchObject({ exit: 0 });
    const { stdout } = await session.uptime(['monitors', 'list', '--json']);
    const names = (JSON.parse(stdout) as { name: string }[]).map(({ name }) => name);
    expect(names.toSorted()).toEqual(Array.from({ length: 20 }, (_, i) => `m${i}`).toSorted());
  },
);
