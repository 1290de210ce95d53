import { expect, test } from 'vitest';
import { createClosers } from './closers.ts';

test('every part is closed once, the last opened first, even if another part fails to close', async () => {
  const closers = createClosers();
  const closed: string[] = [];
  closers.add(() => closed.push('store'));
  closers.add(async () => {
    closed.push('server');
    throw new Error('busy');
  });
  closers.add(() => closed.push('engine'));
  await expect(closers.close()).rejects.toThrow('busy');
  await expect(closers.close()).rejects.toThrow('busy');
  expect(closed).toEqual(['engine', 'server', 'store']);
});

test('if several parts fail to close, all their errors are thrown together', async () => {
  const closers = createClosers();
  for (const text of ['first', 'second']) closers.add(() => Promise.reject(new Error(text)));
  await expect(closers.close()).rejects.toThrow('Error: second Error: first');
});
