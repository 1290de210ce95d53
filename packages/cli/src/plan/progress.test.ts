import * as fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { kinds } from '../kinds/index.ts';
import { wantedFrom } from '../manifest/item.ts';
import { openMovingLine } from '../testing/moving-line.ts';
import { recordedContext } from '../testing/recorded-context.ts';
import type { Change } from './change.ts';
import { showProgress } from './progress.ts';

afterEach(() => vi.useRealTimers());

const { monitor } = kinds;
const created = (name: string): Change => ({
  action: 'create',
  kind: monitor,
  wanted: wantedFrom(monitor, { key: null, name, type: 'ping' }),
  targets: {},
});
const deleted = (name: string): Change => ({
  action: 'delete',
  kind: monitor,
  current: { id: `mon_${name}`, name, type: 'ping' },
});

describe('the moving line of an apply', () => {
  const changes = [created('a'), deleted('b'), created('c\u001b[2J')];

  test('the moving line of an apply counts finished and remaining changes, and disappears when the apply ends', async () => {
    const { io, drawn } = openMovingLine();
    const progress = await showProgress(io, changes);
    expect(drawn()).toMatch(/applying: 0 of 3 made\s*$/);
    progress.done(changes[1]!, 1);
    expect(drawn()).toMatch(/applying: 1 of 3 made, 2 left; deleted ping "b"\s*$/);
    progress.waits(1.2);
    expect(drawn()).toMatch(/applying: 1 of 3 made, 2 left; the server asked to wait 2 s\s*$/);
    progress.done(changes[0]!, 2);
    progress.done(changes[2]!, 3);
    expect(drawn()).toMatch(/applying: 3 of 3 made, 0 left; created ping "c"\s*$/);
    progress.end();
    expect(drawn()).not.toMatch(/created|deleted/);
  });

  test('if an apply stops early, the list of finished changes follows the moving line, in the order of the plan', async () => {
    const { io, drawn } = openMovingLine();
    const progress = await showProgress(io, changes);
    progress.done(changes[2]!, 1);
    progress.done(changes[0]!, 2);
    drawn();
    progress.end();
    expect(drawn()).toBe('created ping "a"\ncreated ping "c"\n');
  });
});

test('without a terminal, each finished change is listed once, in the order of the plan, even if a later change ends first', async () => {
  const count = fc.integer({ min: 1, max: 12 });
  const order = count.chain((length) =>
    fc
      .shuffledSubarray(
        Array.from({ length }, (_, i) => i),
        { minLength: 0 },
      )
      .map((done) => ({ length, done })),
  );
  await fc.assert(
    fc.asyncProperty(order, async ({ length, done }) => {
      const changes = Array.from({ length }, (_, i) => created(`m${i}`));
      const { context, output } = recordedContext();
      const progress = await showProgress(context.io, changes);
      for (const [i, at] of done.entries()) {
        progress.done(changes[at]!, i + 1);
        // A finished change is listed only when all earlier changes of the plan are listed.
        const first = Array.from({ length }, (_, j) => j).findIndex((j) => !done.slice(0, i + 1).includes(j));
        expect(output.stderr.split('\n').length - 1).toBe(first < 0 ? length : first);
      }
      progress.end();
      const lines = done.toSorted((a, b) => a - b).map((at) => `created ping "m${at}"\n`);
      expect(output).toEqual({ stdout: '', stderr: lines.join('') });
    }),
  );
});
