import { Readable, Writable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { createIo, readAll } from './io.ts';

const stream = (tty: boolean) =>
  Object.assign(new Writable({ write: (_chunk, _encoding, done) => done() }), tty && { isTTY: true });
const io = (env: Record<string, string>, { out = true, err = true, input = true } = {}) =>
  createIo(
    { stdin: Object.assign(Readable.from([]), input && { isTTY: true }), stdout: stream(out), stderr: stream(err) },
    env,
  );

describe('colours', () => {
  test.each<[string, Record<string, string>, boolean, number]>([
    ['on a terminal', {}, true, 1],
    ['in a pipe', {}, false, 0],
    ['on a terminal without colours', { TERM: 'dumb' }, true, 0],
    ['with NO_COLOR', { NO_COLOR: '1' }, true, 0],
    ['with an empty NO_COLOR', { NO_COLOR: '' }, true, 1],
    ['with FORCE_COLOR in a pipe', { FORCE_COLOR: '1' }, false, 1],
    ['with FORCE_COLOR=0 in a pipe', { FORCE_COLOR: '0' }, false, 0],
    ['with both FORCE_COLOR and NO_COLOR', { FORCE_COLOR: '1', NO_COLOR: '1' }, true, 0],
    ['with FORCE_COLOR on a terminal without colours', { FORCE_COLOR: '1', TERM: 'dumb' }, true, 1],
  ])('colours have the right level %s', (_, env, isTerminal, level) => {
    expect(io(env, { out: isTerminal }).out.level).toBe(level);
    expect(io(env, { err: isTerminal }).err.level).toBe(level);
  });

  test('the colours of standard output do not depend on standard error', () => {
    const { out, err } = io({}, { out: false });
    expect([out.level, err.level]).toEqual([0, 1]);
  });
});

test.each<[string, object, Record<string, string>, boolean]>([
  ['on a terminal', {}, {}, true],
  ['if standard input is a pipe', { input: false }, {}, false],
  ['if standard error is a file', { err: false }, {}, false],
  ['if only standard output is a pipe', { out: false }, {}, true],
  ['on a terminal in CI', {}, { CI: 'true' }, false],
])('`interactive` says whether questions can be asked %s', (_, streams, env, interactive) => {
  expect(io(env, streams).interactive).toBe(interactive);
});

test.each([
  ['type `uptime login`, or set UPTIME_API_KEY', 'type `uptimectl login`, or set UPTIME_API_KEY'],
  ['  $ uptime ls', '  $ uptimectl ls'],
  ['eval "$(uptime completion bash)"', 'eval "$(uptimectl completion bash)"'],
  ['Usage: uptime ls', 'Usage: uptimectl ls'],
  ['the uptime of 30 days', 'the uptime of 30 days'],
  ['`uptimed serve` and `uptime`', '`uptimed serve` and `uptimectl`'],
  ['https://uptime.example/', 'https://uptime.example/'],
])('if the program was started as uptimectl, the text %j becomes %j', (text, named) => {
  const streams = { stdin: Readable.from([]), stdout: stream(false), stderr: stream(false) };
  expect(createIo(streams, {}, 'uptimectl').named(text)).toBe(named);
  expect(createIo(streams, {}).named(text)).toBe(text);
});

test.each([
  [['a\n'], 'a'],
  [['a\r\n'], 'a'],
  [['a\n\n'], 'a\n'],
  [[' a '], ' a '],
  [['é'.slice(0, 1), 'b'], 'éb'],
  [[], ''],
])('readAll reads standard input with the chunks %j as %j', async (chunks, text) => {
  expect(await readAll(Readable.from(chunks.map((chunk) => Buffer.from(chunk))))).toBe(text);
  const bytes = Array.from(Buffer.from(chunks.join('')), (byte) => Buffer.from([byte]));
  expect(await readAll(Readable.from(bytes))).toBe(text);
});
