import { expect, test } from 'vitest';
import { createClosers } from './closers.ts';

test('every part is closed, the last opened first, and the next call closes only a part that failed', async () => {
  const closers = createClosers();
  const closed: string[] = [];
  closers.add(() => closed.push('store'));
  let isBusy = true;
  closers.add(async () => {
    closed.push('server');
    if (isBusy) throw new Error('busy');
  });
  closers.add(() => closed.push('engine'));
  const calls = [closers.close(), closers.close()];
  for (const call of calls) await expect(call).rejects.toThrow('busy');
  expect(closed).toEqual(['engine', 'server', 'store']);
  isBusy = false;
  await closers.close();
  await closers.close();
  expect(closed).toEqual(['engine', 'server', 'store', 'server']);
});

test('if several parts fail to close, all their errors are thrown together', async () => {
  const closers = createClosers();
  for (const text of ['first', 'second']) closers.add(() => Promise.reject(new Error(text)));
  await expect(closers.close()).rejects.toThrow('Error: second Error: first');
});
