import { type ChannelType, channelTypeDefinitions, channelTypes } from '@uptime/sdk/contract';
import * as fc from 'fast-check';
import { databases } from './databases.ts';
import { type Behaviour, type DeliveryHistory, faultsOf } from './naive-deliveries.ts';
import { lastEvent, playDeliveries, type Restart } from './play-deliveries.ts';

const second = 1000;
const behaviours: Behaviour[] = [
  'ok',
  'redirect',
  'refuse',
  'refuse rich',
  'limit',
  'limit for 5 s',
  'fault',
  'slow',
  'cut',
  'silent',
];

const spell = fc.record({
  lasts: fc.oneof(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 30, max: 1500 })).map((s) => s * second),
  behaviour: fc.constantFrom(...behaviours),
});

/**
 * Generates outages from a list of durations. The first duration is the time before the first outage, the second is the
 * length of this outage, and so on in turn. The last outage may have no end.
 */
const outages = fc
  .tuple(
    fc.array(fc.oneof(fc.integer({ min: 2, max: 60 }), fc.integer({ min: 60, max: 2000 })), {
      minLength: 2,
      maxLength: 8,
    }),
    fc.boolean(),
  )
  .map(([lengths, lasts]) => {
    const edges: number[] = [];
    for (const length of lengths) edges.push((edges.at(-1) ?? 0) + length * second);
    const found: DeliveryHistory['outages'] = [];
    for (let at = 0; at < edges.length; at += 2) found.push({ start: edges[at]!, end: edges[at + 1] ?? null });
    const within = found.filter(({ start, end }) => start < lastEvent && (end ?? 0) < lastEvent);
    return within.map((one, at) => (lasts && at === within.length - 1 ? { ...one, end: null } : one));
  });

const sometime = (weight: number) =>
  fc.option(fc.integer({ min: second, max: lastEvent }), { freq: weight, nil: null });

/**
 * One channel type for each combination of `keepsIncidents` and `lateAlarms`, if possible one that needs no gateway.
 */
const kinds = [
  ...Map.groupBy(channelTypes.toSorted(byGateway), (type) => {
    const { keepsIncidents, lateAlarms } = channelTypeDefinitions[type];
    return `${keepsIncidents} ${lateAlarms}`;
  }).values(),
].map(([first]) => first!);

function byGateway(a: ChannelType, b: ChannelType): number {
  const has = (type: ChannelType) => Number(channelTypeDefinitions[type].gateway !== null);
  return has(a) - has(b);
}

export const deliveryHistory: fc.Arbitrary<DeliveryHistory> = fc
  .record({
    type: fc.constantFrom(...kinds),
    reminds: fc.boolean(),
    spells: fc.array(spell, { maxLength: 12 }),
    outages,
    newKeyAt: sometime(1),
    deletedAt: sometime(1),
  })
  .map((history) =>
    channelTypeDefinitions[history.type].keepsIncidents
      ? { ...history, deletedAt: history.reminds ? history.deletedAt : null }
      : { ...history, newKeyAt: null, deletedAt: null },
  );

const restart: fc.Arbitrary<Restart> = fc.record({
  at: fc.integer({ min: 0, max: lastEvent }),
  interrupted: fc.boolean(),
});

/**
 * Plays this many random histories in parallel. Returns the faults with their histories. Also returns how many requests
 * were sent to providers (`asked`), and how many of them the providers accepted (`taken`).
 */
export async function tryHistories(
  count: number,
  seed: number,
): Promise<{ faults: string[]; asked: number; taken: number }> {
  const histories = fc.sample(deliveryHistory, { seed, numRuns: count });
  const [restarts = []] = fc.sample(fc.array(restart, { minLength: 4, maxLength: 12 }), { seed, numRuns: 1 });
  await using database = await disposable();
  const asked = await playDeliveries(database.store, histories, restarts);
  const faults = histories.flatMap((history, at) =>
    faultsOf(history, asked[at]!).map(
      (fault) => `${fault}\n${JSON.stringify(history)}\n${asked[at]!.map((one) => JSON.stringify(one)).join('\n')}`,
    ),
  );
  const all = asked.flat();
  return { faults, asked: all.length, taken: all.filter((one) => one.taken).length };
}

async function disposable() {
  const sqlite = databases.find(({ name }) => name === 'sqlite');
  if (!sqlite) throw new Error('There is no SQLite to test with.');
  const database = await sqlite.open();
  return { store: database.store, [Symbol.asyncDispose]: () => database.dispose() };
}
