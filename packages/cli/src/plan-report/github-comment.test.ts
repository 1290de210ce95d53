import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { kinds } from '../kinds/index.ts';
import { recordedContext } from '../testing/recorded-context.ts';
import { keepGithubComment } from './github-comment.ts';
import type { PlanReport } from './plan-report.ts';
import { markerOf, renderMarkdown } from './render-markdown.ts';

let folder: string;
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'uptime-comment-'))));
afterAll(() => rm(folder, { recursive: true }));

const report: PlanReport = {
  manifest: { files: ['m.yaml'], environment: null },
  plan: null,
  applied: null,
  faults: [],
  warnings: [],
};
const env = { GITHUB_TOKEN: 'token', GITHUB_REPOSITORY: 'ada/shop', GITHUB_REF: 'refs/pull/7/merge' };
const own = (id: number) => ({ id, body: `${markerOf(report)}\nx`, user: { id: 1, type: 'Bot' } });
const other = (id: number) => ({ id, body: 'x', user: { type: 'Bot' } });

/** Runs `keepGithubComment` with a fake GitHub that gives these answers. Returns its requests and its messages. */
async function keep(answer: (method: string, url: string) => Response, more: Record<string, string | undefined> = {}) {
  const requests: string[] = [];
  const fetch: typeof globalThis.fetch = async (input, init = {}) => {
    const { url } = new Request(input, init);
    requests.push(`${init.method} ${url.replace('https://api.github.com/repos/ada/shop', '')}`);
    return answer(init.method ?? '', url);
  };
  const { context, output } = recordedContext({ env: { ...env, ...more }, fetch });
  await keepGithubComment(report, context);
  return { requests, stderr: output.stderr };
}

describe('the comment of the job', () => {
  const comments = (all: object[], self?: number) => (method: string, url: string) => {
    if (url.endsWith('/user')) return Response.json({ id: self }, { status: self === undefined ? 403 : 200 });
    const page = Number(new URL(url).searchParams.get('page'));
    return Response.json(method === 'GET' ? all.slice((page - 1) * 100, page * 100) : {});
  };
  const list = (page: number) => `GET /issues/7/comments?per_page=100&page=${page}`;
  test.each<[string, object[], string[]]>([
    ['is written if it does not exist yet', [], [list(1), 'POST /issues/7/comments']],
    ['is written beside the comments of others', [other(1)], [list(1), 'POST /issues/7/comments']],
    ['is updated if it already exists', [other(1), own(2)], [list(1), 'PATCH /issues/comments/2']],
    [
      'is not a comment that a person wrote',
      [{ ...own(1), user: { id: 5, type: 'User' } }],
      [list(1), 'GET https://api.github.com/user', 'POST /issues/7/comments'],
    ],
    [
      'is not a comment from a deleted account',
      [{ ...own(1), user: null }],
      [list(1), 'GET https://api.github.com/user', 'POST /issues/7/comments'],
    ],
    [
      'is not a comment that only quotes it',
      [{ ...own(1), body: `> ${own(1).body}` }],
      [list(1), 'POST /issues/7/comments'],
    ],
    [
      'is found on a later page',
      [...Array.from({ length: 100 }, (_, i) => other(i)), own(500)],
      [list(1), list(2), 'PATCH /issues/comments/500'],
    ],
    [
      'is searched on at most ten pages',
      Array.from({ length: 2000 }, (_, i) => other(i)),
      [...Array.from({ length: 10 }, (_, i) => list(i + 1)), 'POST /issues/7/comments'],
    ],
  ])('the comment of the job %s', async (_, all, requests) => {
    expect(await keep(comments(all))).toEqual({ requests, stderr: '' });
  });

  test('the comment of the job is updated if the token belongs to a person and the comment is from that person', async () => {
    const byPerson = (id: number, person: number) => ({ ...own(id), user: { id: person, type: 'User' } });
    const { requests } = await keep(comments([byPerson(1, 5), byPerson(2, 6)], 6));
    expect(requests).toEqual([list(1), 'GET https://api.github.com/user', 'PATCH /issues/comments/2']);
  });

  test.each<[string, Record<string, string | undefined>]>([
    ['a token', { GITHUB_TOKEN: undefined }],
    ['a repository', { GITHUB_REPOSITORY: '' }],
    ['a pull request', { GITHUB_REF: 'refs/heads/main' }],
  ])('the comment of the job is written only with %s', async (_, more) => {
    expect(await keep(comments([]), more)).toEqual({ requests: [], stderr: '' });
  });

  test('the comment of the job is written to the pull request in the event, if the ref does not name one', async () => {
    const event = join(folder, 'event.json');
    const numbers: [unknown, string[]][] = [
      [{ pull_request: { number: 9 } }, ['GET /issues/9/comments?per_page=100&page=1', 'POST /issues/9/comments']],
      [{ pull_request: { number: '9/../1' } }, []],
      [{}, []],
    ];
    for (const [content, requests] of numbers) {
      await writeFile(event, JSON.stringify(content));
      expect((await keep(comments([]), { GITHUB_REF: 'refs/heads/x', GITHUB_EVENT_PATH: event })).requests).toEqual(
        requests,
      );
    }
  });
});

describe('if GitHub', () => {
  test.each<[string, () => Response, string]>([
    ['refuses the request', () => Response.json({}, { status: 403 }), 'GitHub answered 403'],
    ['answers with an HTML page', () => new Response('<html>\u001b[2J'), 'JSON'],
    ['answers with JSON that is not a list', () => Response.json({ message: 'x' }), 'all.filter is not a function'],
    [
      'does not answer',
      () => {
        throw new TypeError('fetch failed');
      },
      'fetch failed',
    ],
  ])('if GitHub %s, a warning is printed and the run continues', async (_, answer, reason) => {
    const { stderr } = await keep(answer);
    expect(stderr).toMatch(/^warning: the comment on the pull request could not be written: /);
    expect(stderr).toContain(reason);
    expect(stderr).toContain('permissions: { pull-requests: write }');
    // eslint-disable-next-line no-control-regex
    expect(stderr).not.toMatch(/\u001b/);
  });
});

describe('the text of the comment', () => {
  const fault = { file: 'm.yaml', line: 1, column: 1, message: 'is ``` wrong' };
  test.each<[string, Partial<PlanReport>, string]>([
    [
      'of a fault',
      { faults: [fault] },
      '### uptime: one fault in the manifest\n\n````text\nm.yaml:1:1: is ``` wrong\n````',
    ],
    ['of several faults', { faults: [fault, fault] }, '### uptime: 2 faults in the manifest'],
    ['of an empty plan', { plan: { changes: [], unchanged: [], over: [] } }, '### uptime: Nothing to do: 0 unchanged'],
    [
      'of a plan with a deletion',
      {
        plan: {
          changes: [{ action: 'delete', kind: kinds.monitor, current: { id: 'mon_1', name: 'Shop', type: 'http' } }],
          unchanged: [],
          over: [],
        },
      },
      '```diff\n- delete http "Shop"\n```',
    ],
    [
      'with warnings',
      { plan: { changes: [], unchanged: [], over: [] }, warnings: [fault] },
      'Warnings:\n\n````text\nm.yaml:1:1: is ``` wrong\n````',
    ],
  ])('the text of the comment %s has the right content', (_, more, text) => {
    expect(renderMarkdown({ ...report, ...more })).toContain(text);
  });

  test('the text of the comment names the failed changes of an apply, and says how many changes were made', () => {
    const change = {
      action: 'delete' as const,
      kind: kinds.monitor,
      current: { id: 'mon_1', name: 'Shop', type: 'http' },
    };
    const plan = { changes: [change, change], unchanged: [], over: [] };
    const applied = { done: [{ change, result: null }], skipped: [], failed: ['delete http "Shop": No.'] };
    const text = renderMarkdown({ ...report, plan, applied });
    expect(text).toContain('### uptime: applied 1 of 2 changes');
    expect(text).toContain('Failed:\n\n```text\ndelete http "Shop": No.\n```');
    expect(
      renderMarkdown({
        ...report,
        plan,
        applied: { ...applied, failed: [], done: [...applied.done, ...applied.done] },
      }),
    ).toContain('applied 2 changes');
  });

  test('the text of the comment has a different marker for different files or another environment', () => {
    const markers = [
      report,
      { ...report, manifest: { files: ['n.yaml'], environment: null } },
      { ...report, manifest: { files: ['m.yaml'], environment: 'live' } },
    ].map(markerOf);
    expect(new Set(markers).size).toBe(3);
  });
});
