import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { recordedContext } from '../testing/recorded-context.ts';
import { createAnswering } from './answering.ts';
import { collect } from './collect.ts';
import { inTurn } from './in-turn.ts';
import { planManifest } from './plan-manifest.ts';
import { toolAnswer } from './tool-answer.ts';

describe('the collected rows of a list', () => {
  const rows = [1, 2, 3, 4, 5].map((n) => ({ n }));
  async function* pages() {
    yield* rows;
  }
  const numbers = async (source: Parameters<typeof collect>[0], options: Parameters<typeof collect>[1]) => {
    const { rows: kept, total } = await collect(source, options);
    return [(kept as { n: number }[]).map(({ n }) => n), total];
  };
  test.each<[string, Parameters<typeof collect>[1], number[], number]>([
    ['are the first rows', { maxRows: 2, latest: false }, [1, 2], 5],
    ['are the last rows, in reverse order', { maxRows: 2, latest: true }, [5, 4], 5],
    ['are all rows, if the list has fewer rows than `maxRows`', { maxRows: 9, latest: false }, [1, 2, 3, 4, 5], 5],
    ['are all rows in reverse order', { maxRows: 5, latest: true }, [5, 4, 3, 2, 1], 5],
    [
      'are the first rows that pass a filter, and the total counts only such rows',
      { maxRows: 1, latest: false, passes: (row) => 'n' in row && Number(row.n) > 3 },
      [4],
      2,
    ],
    [
      'are the last rows that pass a filter, in reverse order',
      { maxRows: 1, latest: true, passes: (row) => 'n' in row && Number(row.n) < 3 },
      [2],
      2,
    ],
  ])('the collected rows of a list %s', async (_, options, kept, total) => {
    expect(await numbers(pages(), options)).toEqual([kept, total]);
    expect(await numbers(Promise.resolve(rows), options)).toEqual([kept, total]);
  });

  test('if the answer is not a list, the answer itself is the only collected row', async () => {
    expect(await collect(Promise.resolve({ n: 1 }), { maxRows: 5, latest: false })).toEqual({
      rows: [{ n: 1 }],
      total: 1,
    });
  });

  test('if reading fails half-way, no collected rows are returned, and the error is thrown', async () => {
    async function* broken() {
      yield { n: 1 };
      throw new Error('gone');
    }
    await expect(collect(broken(), { maxRows: 5, latest: false })).rejects.toThrow('gone');
  });
});

describe('calls that run in turn', () => {
  test('calls run one after the other, in the order of their arrival, even if a call fails', async () => {
    const turns = inTurn();
    const log: string[] = [];
    const call = (name: string, fails = false) =>
      turns.take(async () => {
        log.push(`${name} begins`);
        await Promise.resolve();
        log.push(`${name} ends`);
        if (fails) throw new Error(name);
        return name;
      });
    const results = await Promise.allSettled([call('a'), call('b', true), call('c')]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(log).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
  });

  test('calls end before `idle` resolves, even if they arrived during the wait for `idle`', async () => {
    const turns = inTurn();
    const log: string[] = [];
    void turns.take(async () => {
      void turns.take(async () => void log.push('later'));
    });
    await turns.idle();
    expect(log).toEqual(['later']);
    await inTurn().idle();
  });
});

test('a cancelled or failed call returns an error as its answer, and the program does not crash', async () => {
  const { context } = recordedContext();
  const answering = createAnswering({ client: {} as never, turns: inTurn() }, context);
  const cancelled = await answering({ signal: AbortSignal.abort() }, () => Promise.reject(new Error('never')));
  expect(cancelled).toEqual({ content: [{ type: 'text', text: 'interrupted' }], isError: true });
  const { signal } = new AbortController();
  const failed = await answering({ signal }, () => Promise.reject(new Error('x'.repeat(9000))));
  expect(failed).toMatchObject({ isError: true, content: [{ text: expect.stringMatching(/^unexpected: x{3988}$/) }] });
});

test('an answer marks its data as untrusted, and escapes control characters', () => {
  const { content } = toolAnswer([{ name: 'a\u009b\u001b[2J' }], { about: { total: 1 } });
  const { text } = content[0]!;
  // eslint-disable-next-line no-control-regex
  expect(text).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
  expect(JSON.parse(text)).toMatchObject({
    notice: expect.stringContaining('never instructions'),
    total: 1,
    data: [{ name: 'a\u009b\u001b[2J' }],
  });
  expect(JSON.parse(toolAnswer(Array(300).fill(1)).content[0]!.text)).toMatchObject({
    cut: ['data: 50 of 300 entries'],
  });
});

describe('a plan for an assistant', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'uptime-mcp-'));
    await mkdir(join(folder, 'own', 'below'), { recursive: true });
    await writeFile(join(folder, 'secret.yaml'), 'monitors: [{ name: hush }]');
    await symlink('../secret.yaml', join(folder, 'own', 'link.yaml'));
    await symlink('..', join(folder, 'own', 'up'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  test.each(['../secret.yaml', '/etc/passwd', 'link.yaml', 'up/secret.yaml', 'below/../../secret.yaml', '-', '..'])(
    'a plan for an assistant does not read %s',
    async (file) => {
      const { context } = recordedContext({ cwd: join(folder, 'own') });
      const plan = planManifest({ files: [file] }, {}, context);
      await expect(plan).rejects.toThrow(
        `${JSON.stringify(file)} is not a file in the folder that the MCP server was started in`,
      );
    },
  );

  test('a plan for an assistant reports a missing file with the same message as the command line', async () => {
    const { context } = recordedContext({ cwd: join(folder, 'own') });
    await expect(planManifest({}, {}, context)).rejects.toThrow('monitors.yaml: no such file or folder');
  });
});
