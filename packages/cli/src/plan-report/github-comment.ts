import { readFile } from 'node:fs/promises';
import type { Context } from '../context.ts';
import { type Call, type Comment, keepComment } from './keep-comment.ts';
import type { PlanReport } from './plan-report.ts';

interface GithubComment extends Comment {
  /** The author of the comment; null if the account was deleted. */
  user: { id: number; type: string } | null;
}

/**
 * Writes the plan into a comment on the pull request that this job runs for. Later runs update the same comment. Needs
 * a GITHUB_TOKEN that may write to pull requests. Does nothing without a token or a pull request.
 *
 * See https://docs.github.com/en/rest/issues/comments.
 */
export async function keepGithubComment(report: PlanReport, context: Context): Promise<void> {
  const { env } = context;
  const token = env['GITHUB_TOKEN'];
  const repository = env['GITHUB_REPOSITORY'];
  if (!token || !repository) return;
  const number = await pullRequestOf(env);
  if (number === null) return;
  const issues = `/repos/${repository}/issues`;
  await keepComment<GithubComment>(
    report,
    {
      forge: 'GitHub',
      subject: 'pull request',
      needs: 'the job needs `permissions: { pull-requests: write }`; a pull request from a fork does not get it',
      api: env['GITHUB_API_URL'] ?? 'https://api.github.com',
      headers: { authorization: `Bearer ${token}`, accept: 'application/vnd.github+json' },
      comments: `${issues}/${number}/comments`,
      edit: (id) => ['PATCH', `${issues}/comments/${id}`],
      findOwn,
    },
    context,
  );
}

/**
 * Returns the comment of this job. With the token of a job, the author is a bot. With the token of a person, the author
 * is that person. GitHub answers `/user` only for the token of a person.
 */
async function findOwn(marked: readonly GithubComment[], call: Call): Promise<GithubComment | undefined> {
  const ofBot = marked.find(({ user }) => user?.type === 'Bot');
  if (ofBot) return ofBot;
  const self = await call('GET', '/user').then(
    (user) => (user as { id?: unknown }).id,
    () => null,
  );
  return marked.find(({ user }) => user !== null && user.id === self);
}

/** Returns the number of the pull request of this job. It is in the ref, or else in the event. */
async function pullRequestOf(env: Context['env']): Promise<number | null> {
  const [, number] = /^refs\/pull\/(\d+)\//.exec(env['GITHUB_REF'] ?? '') ?? [];
  if (number) return Number(number);
  const path = env['GITHUB_EVENT_PATH'];
  if (!path) return null;
  const event = JSON.parse(await readFile(path, 'utf8')) as { pull_request?: { number?: unknown } };
  const found = event.pull_request?.number;
  return typeof found === 'number' ? found : null;
}
