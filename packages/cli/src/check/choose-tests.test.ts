import { expect, test } from 'vitest';
import type { NormalMonitor } from '@uptime/sdk/contract';
import { kinds } from '../kinds/index.ts';
import { monitorsOf, type Wanted, wantedFrom } from '../manifest/item.ts';
import { chooseTests } from './choose-tests.ts';

function wanted(fields: Record<string, unknown>): Wanted<NormalMonitor> {
  const checked = kinds.monitor.validate({ type: 'heartbeat', ...fields });
  if (!checked.ok) throw new Error(JSON.stringify(checked.faults));
  return monitorsOf([wantedFrom(kinds.monitor, checked.value, fields)])[0]!;
}
const all = [
  wanted({ name: 'Shop', key: 'shop', labels: { team: 'web', tier: '1' } }),
  wanted({ name: 'Stock', key: 'stock', labels: { team: 'web', note: 'a=b' } }),
  wanted({ name: 'Backup', labels: { team: 'ops' } }),
];
const chosen = (...words: string[]) => chooseTests(all, words).map(({ value }) => value.name);

test.each([
  [[], ['Shop', 'Stock', 'Backup']],
  [['shop'], ['Shop']],
  [['Shop'], ['Shop']],
  [['Backup'], ['Backup']],
  [['team=web'], ['Shop', 'Stock']],
  [['note=a=b'], ['Stock']],
  [
    ['Backup', 'shop'],
    ['Shop', 'Backup'],
  ],
  [
    ['team=web', 'tier=1'],
    ['Shop', 'Stock'],
  ],
])('the words %j choose the monitors %j, in the order of the manifest', (words, names) =>
  expect(chosen(...words)).toEqual(names),
);

test.each(['SHOP', 'sho', 'team', 'team=', 'team=ops ', '=web', 'tier=2', 'constructor=x', ''])(
  'the word %j matches no monitor, and leads to an error',
  (word) => expect(() => chosen('shop', word)).toThrow('no monitor of the manifest has the key, name or label'),
);

test('the error about an unknown word suggests the nearest key or name, or says what a word may be', () => {
  expect(() => chosen('stok')).toThrow(expect.objectContaining({ exit: 'usage', next: 'did you mean "stock"?' }));
  expect(() => chosen('zzzzzz')).toThrow(
    expect.objectContaining({ next: 'name a key, a name, or a label such as team=ops' }),
  );
});

test('the error about an unknown word contains no control characters, so the word cannot move the cursor', () => {
  expect(() => chosen('\u001b[2J')).toThrow(
    expect.objectContaining({ message: expect.not.stringMatching(/\p{Cc}/u) as unknown }),
  );
});
