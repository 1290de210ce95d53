import { expect, test } from 'vitest';
import { createLog, type LogOptions } from './log.ts';

function written(options: Pick<LogOptions, 'level' | 'format'>, write: (log: ReturnType<typeof createLog>) => void) {
  const lines: string[] = [];
  write(createLog({ ...options, write: (line) => void lines.push(line) }));
  return lines.join('');
}

test('in the format json, a log line has the time, level, message and fields of its event', () => {
  const line = written({ level: 'info', format: 'json' }, (log) => log.info({ port: 1 }, 'serving'));
  expect(JSON.parse(line)).toMatchObject({ level: 'info', message: 'serving', port: 1 });
});

test('the log leaves out events below its level', () => {
  const all = (log: ReturnType<typeof createLog>) => {
    for (const level of ['debug', 'info', 'warn', 'error'] as const) log[level]({}, level);
  };
  expect(written({ level: 'warn', format: 'json' }, all).trim().split('\n')).toHaveLength(2);
  expect(written({ level: 'silent', format: 'json' }, all)).toBe('');
});

test('a logged error shows its message and stack, in both formats', () => {
  const fail = (log: ReturnType<typeof createLog>) => log.error({ err: new Error('boom'), id: 7 }, 'failed');
  expect(JSON.parse(written({ level: 'info', format: 'json' }, fail))).toMatchObject({ err: 'boom', id: 7 });
  expect(written({ level: 'info', format: 'pretty' }, fail)).toMatch(
    /error failed id=7 err=boom\n {4}Error: boom\n {8}at /,
  );
});

test.each(['json', 'pretty'] as const)(
  'in the format %s, text that users or servers sent cannot start a new log line or move the cursor',
  (format) => {
    const forged = 'shop\r\n12:00:00 error stolen\u001b[2J\u0007\u009b1A\u2028\u2029\u0085\u007f\0';
    const error = Object.assign(new Error(forged), { stack: `Error: ${forged}\n    at here` });
    const text = written({ level: 'info', format }, (log) => {
      log.info({ name: forged, nested: { name: forged } }, forged);
      log.error({ err: error }, 'failed');
    });
    expect(text).not.toMatch(/[^\P{Cc}\n]|[\u2028\u2029]/u);
    expect(text).not.toMatch(/^12:00:00 error stolen/m);
    if (format === 'json') {
      const [first] = text.split('\n').map((line) => JSON.parse(line || '{}') as { name: string; message: string });
      expect(first).toMatchObject({ name: forged, message: forged });
      expect(text.trim().split('\n')).toHaveLength(2);
    }
  },
);
