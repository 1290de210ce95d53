import { expect, test } from 'vitest';
import { createFakeClock } from '../testing/fake-clock.ts';
import { createOwnNames } from './own-names.ts';
import { createSiteName } from './site-name.ts';
import type { Direction } from './where-it-points.ts';

const minute = 60_000;
const publicHost = 'pages.example.net';

function site(siteUrl: string, directions: Direction[] = []) {
  const clock = createFakeClock();
  const looks: string[] = [];
  const name = createSiteName(clock, {
    ownNames: createOwnNames({ siteUrl: () => siteUrl, publicHost: () => publicHost }),
    isPublicHost: (one) => one === publicHost,
    look: async (one) => {
      looks.push(one);
      return directions.shift() ?? { points: 'here', by: 'address' };
    },
  });
  return { clock, looks, name };
}

test('if the site is on the public host, its name counts as pointing here without a DNS lookup', async () => {
  const { name, looks } = site(`https://${publicHost}`);
  expect(name.here()).toBeNull();
  expect(await name.lookIfDue()).toBe(true);
  expect(name.here()).toBe(publicHost);
  expect(looks).toEqual([]);
});

test('if the site is not on the public host, its name is looked up each minute until it points here, and then each hour', async () => {
  const { name, looks, clock } = site('https://uptime.example.com', [
    { points: 'elsewhere', reason: 'Astray.' },
    { points: 'here', by: 'address' },
    { points: 'unknown', reason: 'No answer.' },
    { points: 'elsewhere', reason: 'Astray.' },
  ]);
  const after = async (ms: number) => {
    await clock.advance(ms);
    const changed = await name.lookIfDue();
    return [changed, name.here(), looks.length];
  };
  expect(await after(0)).toEqual([false, null, 1]);
  expect(await after(minute - 1)).toEqual([false, null, 1]);
  expect(await after(1)).toEqual([true, 'uptime.example.com', 2]);
  expect(await after(59 * minute)).toEqual([false, 'uptime.example.com', 2]);
  expect(await after(minute)).toEqual([false, 'uptime.example.com', 3]);
  expect(await after(60 * minute)).toEqual([true, null, 4]);
});

test('the name of a site on localhost is not looked up, and gets no certificate', async () => {
  const { name, looks } = site('http://localhost:3000');
  expect(await name.lookIfDue()).toBe(false);
  expect([name.here(), looks]).toEqual([null, []]);
});
