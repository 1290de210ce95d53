import { expect, test } from 'vitest';
import { createClosers } from './closers.ts';

test('`close` closes every part, the last opened first; if a part fails to close, the next call closes only that part', async () => {
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

test('if several parts fail to close, `close` throws one error with all their messages', async () => {
  const closers = createClosers();
  for (const text of ['first', 'second']) closers.add(() => Promise.reject(new Error(text)));
  await expect(closers.close()).rejects.toThrow('Error: second Error: first');
});
