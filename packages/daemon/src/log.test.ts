import { expect, test } from 'vitest';
import { createLog, type LogOptions } from './log.ts';

function written(options: Pick<LogOptions, 'level' | 'format'>, write: (log: ReturnType<typeof createLog>) => void) {
  const lines: string[] = [];
  write(createLog({ ...options, write: (line) => void lines.push(line) }));
  return lines.join('');
}

test('a line of JSON has its time, level, message and fields', () => {
  const line = written({ level: 'info', format: 'json' }, (log) => log.info({ port: 1 }, 'serving'));
  expect(JSON.parse(line)).toMatchObject({ level: 'info', message: 'serving', port: 1 });
});

test('what is below the level is left out', () => {
  const all = (log: ReturnType<typeof createLog>) => {
    for (const level of ['debug', 'info', 'warn', 'error'] as const) log[level]({}, level);
  };
  expect(written({ level: 'warn', format: 'json' }, all).trim().split('\n')).toHaveLength(2);
  expect(written({ level: 'silent', format: 'json' }, all)).toBe('');
});

test('an error shows its message and its stack, in JSON and for people', () => {
  const fail = (log: ReturnType<typeof createLog>) => log.error({ err: new Error('boom'), id: 7 }, 'failed');
  expect(JSON.parse(written({ level: 'info', format: 'json' }, fail))).toMatchObject({ err: 'boom', id: 7 });
  expect(written({ level: 'info', format: 'pretty' }, fail)).toMatch(
    /error failed id=7 err=boom\nError: boom\n {4}at /,
  );
});
