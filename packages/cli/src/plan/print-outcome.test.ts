import { ApiError, ConnectionError, ForbiddenError } from '@uptime/sdk';
import { describe, expect, test } from 'vitest';
import { kinds } from '../kinds/index.ts';
import type { Fields, Remote } from '../kinds/kind.ts';
import { wantedFrom } from '../manifest/item.ts';
import { recordedContext } from '../testing/recorded-context.ts';
import { type Applied, type Failure, HalfReplaced } from './apply.ts';
import type { Change, Plan } from './change.ts';
import { showProgress } from './progress.ts';
import { renderJson } from './render-json.ts';
import { printApplyOutcome, printPlanOutcome } from './print-outcome.ts';

const { monitor, channel } = kinds;
const made = (name: string): Change => ({
  action: 'create',
  kind: monitor,
  wanted: wantedFrom(monitor, { key: null, name, type: 'ping' }),
  targets: {},
});
const gone = (name: string): Change => ({
  action: 'delete',
  kind: monitor,
  current: { id: `mon_${name}`, name, type: 'ping' },
});
const there = (name: string, fields: Fields = {}): Remote => ({ id: `mon_${name}`, name, ...fields });
const refused = (status: number, detail: string, errors: { path: string; message: string }[] = []) =>
  new ApiError({ status, code: 'invalid_request', title: 'x', detail, errors, requestId: null });
const failed = (change: Change, error: unknown, how: Failure['made'] = 'nothing'): Failure => ({
  change,
  error,
  made: how,
});

async function outcomeOf(
  { done = [], skipped = [], ...rest }: Partial<Applied>,
  { aborted = false, unchanged = [] as Remote[], isSaved = false } = {},
) {
  const { context, output } = recordedContext({ aborted });
  const applied: Applied = { done, failed: rest.failed ?? [], skipped };
  const changes = [...done.map(({ change }) => change), ...applied.failed.map(({ change }) => change), ...skipped];
  const plan: Plan = {
    changes,
    unchanged: unchanged.map((current) => ({
      wanted: wantedFrom(monitor, { key: null, name: current.name }),
      current,
    })),
    over: [],
  };
  let data: unknown = null;
  let table = '';
  const exit = await printApplyOutcome(
    { plan, applied, isSaved },
    async (all, render) => void ((data = all), (table = render())),
    context,
  );
  return { exit, stderr: output.stderr, data, table };
}

describe('the outcome of an apply', () => {
  const a = { change: made('A'), result: there('A') };
  test.each<[string, Partial<Applied>, boolean, string, string[]]>([
    ['that made all changes', { done: [a] }, false, 'ok', ['Applied: 1 changed, 0 unchanged.']],
    [
      'that the server refused at once',
      { failed: [failed(made('B'), refused(400, 'No.'))], skipped: [made('C')] },
      false,
      'failed',
      [
        'error: create ping "B": No. (HTTP 400)',
        '0 of 2 changes were made; 1 was not started.',
        '  Apply again to continue.',
      ],
    ],
    [
      'that failed after a change',
      { done: [a], failed: [failed(made('B'), refused(400, 'No.'))] },
      false,
      'partial',
      ['1 of 2 changes were made.'],
    ],
    [
      'that got no answer',
      {
        failed: [failed(made('B'), new ConnectionError('No answer.', {}), 'unknown')],
        skipped: [made('C'), made('D')],
      },
      false,
      'partial',
      [
        'it is not known whether the change was made',
        '0 of 3 changes were made; 1 may have been made: the server did not confirm that; 2 were not started.',
      ],
    ],
    [
      'that has no permission to write',
      {
        failed: [
          failed(
            made('B'),
            new ForbiddenError({ status: 403, code: 'forbidden', title: 'x', detail: 'Not you.', requestId: null }),
          ),
        ],
      },
      false,
      'unauthorised',
      ['error: create ping "B": Not you. (HTTP 403)'],
    ],
    [
      'that was interrupted',
      { done: [a], skipped: [made('B')] },
      true,
      'interrupted',
      ['1 of 2 changes were made; 1 was not started.'],
    ],
    [
      'that was interrupted before its first change',
      { skipped: [made('B')] },
      true,
      'interrupted',
      ['0 of 1 changes were made'],
    ],
    [
      'with a replacement that stopped half-way',
      { failed: [failed(made('B'), new HalfReplaced('both exist', { cause: refused(500, 'Oh.') }), 'a part')] },
      false,
      'partial',
      ['create ping "B": both exist: Oh. (HTTP 500)', '0 of 1 changes were made, and 1 in part.'],
    ],
    [
      'whose deletion failed',
      { failed: [failed(gone('B'), refused(409, 'Busy.'))] },
      false,
      'failed',
      ['error: delete ping "B": Busy. (HTTP 409)'],
    ],
  ])('the outcome of an apply %s has the right messages and exit code', async (_, applied, aborted, exit, lines) => {
    const ended = await outcomeOf(applied, { aborted });
    expect(ended.exit).toBe(exit);
    for (const line of lines) expect(ended.stderr).toContain(line);
  });

  test.each<[string, Partial<Applied>, string]>([
    ['of which a part was made', { done: [a], skipped: [made('B')] }, 'Make a new plan to continue'],
    [
      'of which a part may have been made',
      { failed: [failed(made('B'), new Error('x'), 'unknown')] },
      'Make a new plan',
    ],
    ['of which nothing was made', { failed: [failed(made('B'), refused(400, 'No.'))] }, 'Apply again to continue.'],
  ])('the outcome of a saved plan %s includes advice about the next step', async (_, applied, next) => {
    expect((await outcomeOf(applied, { isSaved: true })).stderr).toContain(next);
  });

  test('the outcome of an apply names the place in the manifest for each fault from the server, without control characters', async () => {
    const faults = [
      { path: 'monitorIds.0', message: 'is \u001b[31munknown' },
      { path: '', message: 'is too much' },
    ];
    const wanted = {
      ...wantedFrom(kinds.alertRule, { key: null, name: 'R' }),
      place: (path: string) => ({ file: 'm.yaml', line: path === 'monitors.0' ? 7 : 5, column: 3 }),
    };
    const change: Change = { action: 'create', kind: kinds.alertRule, wanted, targets: {} };
    const { stderr } = await outcomeOf({ failed: [failed(change, refused(400, 'Bad.', faults))] });
    expect(stderr).toContain(
      'error: m.yaml:7:3: create alert rule "R": the server refused it: `monitorIds.0` is unknown\n',
    );
    expect(stderr).toContain('error: m.yaml:5:3: create alert rule "R": the server refused it: is too much\n');
  });

  test('the outcome of an apply contains the ping addresses of new and unchanged heartbeats, and as data also the number of changes', async () => {
    const job = { change: made('Job'), result: there('Job', { key: 'job', pingUrl: 'https://u.example/ping/t1' }) };
    const { table, data } = await outcomeOf(
      { done: [job], skipped: [made('B')] },
      { unchanged: [there('Old', { pingUrl: 'https://u.example/ping/t2' })] },
    );
    expect(table).toBe(
      '\nHEARTBEAT  PING ADDRESS\nJob        https://u.example/ping/t1\nOld        https://u.example/ping/t2',
    );
    expect(data).toMatchObject({
      applied: { done: 1, inPart: 0, unknown: 0, failed: [], notBegun: 1 },
      pingUrls: [
        { name: 'Job', key: 'job' },
        { name: 'Old', key: null },
      ],
    });
  });
});

test.each([
  [1, 1, 'nothing more'],
  [5, 5, 'nothing more'],
  [6, 5, '1 more channel waits for a code'],
  [9, 5, '4 more channels wait for a code'],
])('if %i channels wait for a code, %i of them are named, followed by: %s', async (count, shown, more) => {
  const { context, output } = recordedContext();
  const unchanged = Array.from({ length: count }, (_, i) => ({
    wanted: wantedFrom(channel, { key: null, name: `C${i}` }),
    current: { id: `chn_${i}`, name: `C${i}`, confirmedAt: null },
  }));
  const plan: Plan = { changes: [], unchanged, over: [] };
  await printPlanOutcome(plan, async () => undefined, context.io, { pingUrls: false, rendered: renderJson(plan) });
  expect(output.stderr.match(/gets no alerts until/g)).toHaveLength(shown);
  expect(output.stderr.includes(more)).toBe(count > shown);
});

describe('the progress of an apply without a terminal', () => {
  const all = ['A', 'B', 'C'].map(made);
  const progress = async (work: (it: Awaited<ReturnType<typeof showProgress>>) => void) => {
    const { context, output } = recordedContext();
    work(await showProgress(context.io, all));
    return output.stderr.trimEnd().split('\n');
  };
  const lines = (...names: string[]) => names.map((name) => `created ping "${name}"`);

  test('the progress of an apply lists the changes in the order of the plan, even if a later change ends first', async () => {
    expect(await progress(({ done }) => [2, 0, 1].forEach((i, at) => done(all[i]!, at + 1)))).toEqual(
      lines('A', 'B', 'C'),
    );
  });

  test('the progress of an apply shows at its end which changes were made before a failure', async () => {
    expect(await progress(({ done, end }) => ([0, 2].forEach((i, at) => done(all[i]!, at + 1)), end()))).toEqual(
      lines('A', 'C'),
    );
  });

  test('the progress of an apply says how long the server asks to wait, in whole seconds', async () => {
    expect(await progress(({ done, waits }) => (done(all[0]!, 1), waits(1.2)))).toEqual([
      ...lines('A'),
      '1 of 3 made; the server asked to wait 2 s',
    ]);
  });
});
