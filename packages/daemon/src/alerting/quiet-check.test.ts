import type { Transaction } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Tables } from '../store/tables.ts';
import { databases } from '../testing/databases.ts';
import { createCheckRecording } from '../testing/record-check.ts';
import { createWatchedProject } from '../testing/watched-project.ts';

describe.each(databases)('the recording of checks on $name', ({ open }) => {
  it('a check that changes nothing runs no query about alerts', async () => {
    const database = await open();
    onTestFinished(() => database.dispose());
    const project = await createWatchedProject(database.store);
    const record = createCheckRecording(database.store);
    const write = <T>(work: (trx: Transaction<Tables>) => Promise<T>) => database.store.write(work);
    const shop = await project.addMonitor('shop');
    await project.addRule('rule', { monitors: [shop], channels: [await project.addChannel('chat')] });
    await write((trx) => record(trx, project.finished(shop, 1, null)));
    const statements: string[] = [];
    const watched = (trx: Transaction<Tables>) =>
      new Proxy(trx, {
        get(target, name) {
          if (typeof name === 'string' && /From$|Into$|Table$/.test(name)) statements.push(name);
          const value: unknown = Reflect.get(target, name);
          return typeof value === 'function' ? (value.bind(target) as unknown) : value;
        },
      });
    await write((trx) => record(watched(trx), project.finished(shop, 2, null)));
    expect(statements).toEqual([]);
    await write((trx) => record(watched(trx), project.finished(shop, 3, 'timeout')));
    expect(statements).not.toEqual([]);
  });
});
