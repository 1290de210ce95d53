import { describe, expect, test } from 'vitest';
import { recordedContext } from '../testing/recorded-context.ts';
import { keepGitlabComment } from './gitlab-comment.ts';
import type { PlanReport } from './plan-report.ts';
import { markerOf, renderMarkdown } from './render-markdown.ts';

const report: PlanReport = {
  manifest: { files: ['m.yaml'], environment: null },
  plan: null,
  applied: null,
  faults: [],
  warnings: [],
};
const api = 'https://gitlab.example.com/api/v4';
const env = {
  GITLAB_TOKEN: 'glpat-hush',
  CI_API_V4_URL: api,
  CI_PROJECT_ID: '99',
  CI_MERGE_REQUEST_PROJECT_ID: '42',
  CI_MERGE_REQUEST_IID: '7',
};
const self = 3;
const own = (id: number, author: { id: number } | null = { id: self }) => ({
  id,
  body: `${markerOf(report)}\nx`,
  author,
});

interface SentRequest {
  line: string;
  token: string | null;
  body: unknown;
}

/** Runs `keepGitlabComment` with a fake GitLab that has these comments. */
async function keep(notes: object[], more: Record<string, string | undefined> = {}, status = 200) {
  const requests: SentRequest[] = [];
  const fetch: typeof globalThis.fetch = async (input, init = {}) => {
    const request = new Request(input, init);
    const text = await request.text();
    const body: unknown = text === '' ? null : JSON.parse(text);
    const line = `${init.method} ${request.url.replace(api, '')}`;
    requests.push({ line, token: request.headers.get('private-token'), body });
    if (request.url === `${api}/user`) return Response.json({ id: self });
    return Response.json(init.method === 'GET' ? notes : {}, { status });
  };
  const { context, output } = recordedContext({ env: { ...env, ...more }, fetch });
  await keepGitlabComment(report, context);
  return { requests, lines: requests.map(({ line }) => line), stderr: output.stderr };
}

const notes = '/projects/42/merge_requests/7/notes';
const list = `GET ${notes}?per_page=100&page=1`;

describe('the comment on a merge request', () => {
  test('the comment on a merge request contains the plan, and is sent with the token to the project of the merge request', async () => {
    const { requests, stderr } = await keep([{ id: 1, body: 'Looks good.', author: { id: 8 } }]);
    expect(requests).toEqual([
      { line: list, token: 'glpat-hush', body: null },
      { line: `POST ${notes}`, token: 'glpat-hush', body: { body: renderMarkdown(report) } },
    ]);
    expect(stderr).toBe('');
  });

  test.each<[string, object[], string]>([
    ['is updated if it already exists', [own(1, { id: 8 }), own(2)], `PUT ${notes}/2`],
    ['is not a comment from another account', [own(1, { id: 8 })], `POST ${notes}`],
    ['is not a comment from a deleted account', [own(1, null)], `POST ${notes}`],
  ])('the comment on a merge request %s', async (_, all, last) => {
    expect((await keep(all)).lines).toEqual([list, 'GET /user', last]);
  });

  test.each(['GITLAB_TOKEN', 'CI_API_V4_URL', 'CI_MERGE_REQUEST_PROJECT_ID', 'CI_MERGE_REQUEST_IID'])(
    'the comment on a merge request is written only if %s is set',
    async (name) => {
      expect(await keep([], { [name]: undefined })).toEqual({ requests: [], lines: [], stderr: '' });
    },
  );

  test('the comment on a merge request leads to a warning if GitLab refuses it, and the run continues', async () => {
    const { stderr } = await keep([], {}, 403);
    expect(stderr).toBe(
      'warning: the comment on the merge request could not be written: GitLab answered 403\n' +
        '  GITLAB_TOKEN must be a project access token with the scope `api` and at least the role Reporter\n',
    );
  });
});
