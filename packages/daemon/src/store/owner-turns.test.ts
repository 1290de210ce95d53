import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { databases, type TestDatabase } from '../testing/databases.ts';
import { createOwnerTurns } from './owner-turns.ts';

describe.each(databases)('writes of an owner on $name', ({ open }) => {
  let opened: TestDatabase;
  beforeEach(async () => {
    opened = await open();
  });
  afterEach(() => opened.dispose());

  it('the writes of one owner take turns, so that a write of another owner waits for at most one of them', async () => {
    const neighbourEnded = Promise.withResolvers<void>();
    const ended: string[] = [];
    const write = (owner: string, before: Promise<void>) =>
      opened.store.write(
        async () => {
          await before;
          ended.push(owner);
        },
        { owner },
      );
    // These writes end only after the neighbour's write. If they all began at once, they would hold all connections,
    // and the neighbour's write would never get one.
    const first = write('many', sleep(20));
    const rest = Array.from({ length: 30 }, () => write('many', neighbourEnded.promise));
    await write('neighbour', Promise.resolve());
    neighbourEnded.resolve();
    await Promise.all([first, ...rest]);
    expect(ended.slice(0, 2)).toContain('neighbour');
    expect(ended).toHaveLength(32);
  });

  it('after a write of an owner failed, the next write of that owner still runs', async () => {
    const write = (work: () => Promise<string>) => opened.store.write(work, { owner: 'one' });
    const failed = write(() => Promise.reject(new Error('no')));
    const next = write(async () => 'done');
    await expect(failed).rejects.toThrow('no');
    expect(await next).toBe('done');
  });
});

it('`begin` rejects a write whose turn does not come in time, and then admits the next write', async () => {
  const turns = createOwnerTurns();
  const late = () => new Error('late');
  const end = await turns.begin('one', 1000, late);
  await expect(turns.begin('one', 5, late)).rejects.toThrow('late');
  const next = turns.begin('one', 1000, late);
  end();
  (await next)();
});
