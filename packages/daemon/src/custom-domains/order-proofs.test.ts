import { expect, test } from 'vitest';
import { databases } from '../testing/databases.ts';
import { createOrderProofs } from './order-proofs.ts';

const dayMs = 86_400_000;

test('other nodes find a proof for as long as its order may last, and the next order after that deletes the proof', async () => {
  const database = await databases.find(({ name }) => name === 'postgres')!.open();
  try {
    let now = 1000;
    const node = () => createOrderProofs(database.store, { now: () => now });
    const [ordering, other] = [node(), node()];
    await ordering.show('token', 'proof');
    now += 7 * dayMs;
    await ordering.show('second', 'proof of the second order');
    expect(await other.find('token')).toBe('proof');
    now += dayMs;
    await ordering.show('third', 'proof of the third order');
    expect(await other.find('token')).toBeNull();
    expect(await other.find('second')).toBe('proof of the second order');
    await ordering.remove('second');
    expect(await other.find('second')).toBeNull();
  } finally {
    await database.dispose();
  }
});
