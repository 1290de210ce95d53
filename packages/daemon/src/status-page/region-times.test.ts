import { describe, expect, test } from 'vitest';
import { hourMs } from '../core/uptime.ts';
import { databases } from '../testing/databases.ts';
import { createLoadPageWorld, noon } from '../testing/load-page-world.ts';
import { createForms } from './forms.ts';

const links = { self: '/', json: '/j', feed: '/f', badge: '/b', base: '/' };

describe.each(databases)('the response times of regions on a page, on $name', (kind) => {
  const world = createLoadPageWorld(kind);
  const hour = Math.floor(noon / hourMs);

  /** Stores an hour in which ten checks of a region passed with this response time. */
  const addHour = (monitor: number, region: number, ago: number, ms: number) =>
    world.store.write((trx) =>
      trx
        .insertInto('check_hour')
        .values({ monitor, region, hour: hour - ago, checks: 10, failed: 0, tenths_sum: 10 * ms * 10 })
        .execute(),
    );

  test('if several regions checked a monitor, the chart has a line with the name and average of each region', async () => {
    const { slug, monitors } = await world.pageOf(2);
    const [everywhere, inOne] = monitors as [number, number];
    const regions = await world.store.write((trx) =>
      trx
        .insertInto('region')
        .values(['us', 'eu'].map((name) => ({ name, seen_at: noon })))
        .returning(['id', 'name'])
        .execute(),
    );
    const idOf = (name: string) => regions.find((region) => region.name === name)!.id;
    for (const ago of [1, 2]) {
      await addHour(everywhere, idOf('us'), ago, 300);
      await addHour(everywhere, idOf('eu'), ago, 100);
      await addHour(inOne, idOf('eu'), ago, 50);
    }
    const view = await world.load(slug, noon);
    const known = (hours: readonly (number | null)[]) => hours.filter((value) => value !== null);
    expect(
      view.monitors.map(({ responseTimes, regionTimes }) => [
        known(responseTimes!),
        regionTimes.map(({ region, hours }) => [region, known(hours)]),
      ]),
    ).toEqual([
      [
        [200, 200],
        [
          ['eu', [100, 100]],
          ['us', [300, 300]],
        ],
      ],
      [[50, 50], []],
    ]);
    const { pieces } = createForms()({ kind: 'page', view }, 'html', { links, from: 0 });
    const page = [...pieces].join('');
    expect(page.match(/(eu|us) \d+ ms/g)).toEqual(['eu 100 ms', 'us 300 ms']);
    expect(page.match(/<path class="r[12]" d="M[^"]*L/g)).toHaveLength(2);
  });
});
