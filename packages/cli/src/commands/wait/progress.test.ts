import { afterEach, describe, expect, test, vi } from 'vitest';
import { openMovingLine } from '../../testing/moving-line.ts';
import { recordedContext } from '../../testing/recorded-context.ts';
import type { Goal, Waiting } from './gate.ts';
import { showProgress } from './progress.ts';

afterEach(() => vi.useRealTimers());

const goal: Goal = { until: 'up', confirm: 2 };
const waiting = (name: string, state: Partial<Waiting> = {}): Waiting => ({
  id: `mon_${name}`,
  key: null,
  name,
  status: 'down',
  interval: 60,
  lastCheckedAt: null,
  confirmed: 0,
  reached: false,
  ...state,
});
const up = { status: 'up', confirmed: 2, reached: true } as const;

describe('the moving line of a wait', () => {
  const line = async (...looks: Waiting[][]) => {
    const { io, drawn } = openMovingLine();
    const progress = await showProgress(io, goal);
    const texts = looks.map((look) => {
      progress.look(look);
      return drawn();
    });
    return { progress, drawn, texts };
  };

  test.each<[string, Waiting[], string]>([
    ['names a monitor and its status', [waiting('a')], '0 of 1 up; waiting for a (down)'],
    [
      'counts the results that confirm a monitor',
      [waiting('a', { status: 'up', confirmed: 1 })],
      '0 of 1 up; waiting for a (up, 1 of 2 results)',
    ],
    [
      'does not name monitors that have reached the goal',
      [waiting('a', up), waiting('b')],
      '1 of 2 up; waiting for b (down)',
    ],
    [
      'names three monitors, and counts the others',
      ['a', 'b', 'c', 'd', 'e'].map((name) => waiting(name)),
      '0 of 5 up; waiting for a (down), b (down), c (down), and 2 more',
    ],
    ['replaces control characters in a name', [waiting('a\u001b[2J\u0007b')], '0 of 1 up; waiting for a�b (down)'],
    ['names no monitor if all have reached the goal', [waiting('a', up), waiting('b', up)], '2 of 2 up'],
  ])('the moving line of a wait %s', async (_, look, text) => {
    const { texts, progress } = await line(look);
    progress.end();
    expect(texts.map((one) => one.trimEnd())).toEqual([expect.stringMatching(new RegExp(`${escape(text)}$`))]);
  });

  test('the moving line of a wait says why the server cannot be read, until the server answers again', async () => {
    const { progress, drawn } = await line([waiting('a')]);
    progress.failed('HTTP 503\nretry');
    expect(drawn()).toContain('waiting: HTTP 503�retry; trying again');
    progress.look([waiting('a')]);
    expect(drawn()).toMatch(/0 of 1 up; waiting for a \(down\)\s*$/);
    progress.end();
    expect(drawn()).not.toContain('waiting');
  });
});

const escape = (text: string): string => text.replaceAll(/[()]/g, String.raw`\$&`);

test('on a terminal that does not report its width, the progress is printed as separate lines', async () => {
  const { context, output } = recordedContext({ columns: 0 });
  const progress = await showProgress(context.io, goal);
  progress.look([waiting('a'), waiting('b', up)]);
  progress.look([waiting('a', { status: 'up', confirmed: 1 }), waiting('b', up)]);
  progress.failed('HTTP 503');
  progress.failed('HTTP 503');
  progress.look([waiting('a', up), waiting('b', up)]);
  progress.end();
  expect(output).toEqual({
    stdout: '',
    stderr: [
      'waiting: a (down)',
      'reached: b (up)',
      'waiting: a (up, 1 of 2 results)',
      'the server cannot be read: HTTP 503; trying again',
      'the server answers again',
      'reached: a (up)',
      '',
    ].join('\n'),
  });
});
