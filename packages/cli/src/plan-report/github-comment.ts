import { readFile } from 'node:fs/promises';
import type { Context } from '../context.ts';
import { plain } from '../output.ts';
import { markerOf, renderMarkdown } from './render-markdown.ts';
import type { PlanReport } from './plan-report.ts';

interface Comment {
  id: number;
  body: string;
  user: { type: string } | null;
}

/** Maximum number of pages, of 100 comments each, in which it looks for its own comment. */
const mostPages = 10;

/**
 * Keeps one comment with the plan on the pull request that this job runs for. Needs GITHUB_TOKEN, which may write to
 * pull requests. Does nothing without a token or a pull request. A failure is a warning, because the plan is printed too.
 */
export async function keepGithubComment(report: PlanReport, context: Context): Promise<void> {
  const { env, io } = context;
  const token = env['GITHUB_TOKEN'];
  const repository = env['GITHUB_REPOSITORY'];
  if (!token || !repository) return;
  const number = await pullRequestOf(env);
  if (number === null) return;
  const base = `${env['GITHUB_API_URL'] ?? 'https://api.github.com'}/repos/${repository}`;
  const call = callsTo(token, context);
  const said = await keep(`${base}/issues`, number, report, call).then(
    () => null,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
  if (said !== null) {
    io.say(`${io.err.yellow('warning:')} the comment on the pull request could not be written: ${plain(said)}`);
    io.say('  the job needs `permissions: { pull-requests: write }`; a pull request from a fork does not get it');
  }
}

type Call = (method: string, url: string, body?: object) => Promise<unknown>;

async function keep(issues: string, number: number, report: PlanReport, call: Call): Promise<void> {
  const body = renderMarkdown(report);
  const own = await findOwn(`${issues}/${number}/comments`, markerOf(report), call);
  if (own) await call('PATCH', `${issues}/comments/${own.id}`, { body });
  else await call('POST', `${issues}/${number}/comments`, { body });
}

/** Finds the comment with a marker. Ignores those of people: they could change it afterwards. */
async function findOwn(url: string, marker: string, call: Call): Promise<Comment | null> {
  for (let page = 1; page <= mostPages; page++) {
    const comments = (await call('GET', `${url}?per_page=100&page=${page}`)) as Comment[];
    const own = comments.find(({ body, user }) => user?.type === 'Bot' && body.startsWith(marker));
    if (own) return own;
    if (comments.length < 100) return null;
  }
  return null;
}

function callsTo(token: string, { fetch: given = fetch, signal }: Context): Call {
  return async (method, url, body) => {
    const answer = await given(url, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        accept: 'application/vnd.github+json',
        'user-agent': 'uptime',
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
      redirect: 'error',
      signal: AbortSignal.any([signal, AbortSignal.timeout(20_000)]),
    });
    if (!answer.ok) throw new Error(`GitHub answered ${answer.status}`);
    return answer.json();
  };
}

/** Returns the number of the job's pull request, from its event or its ref. */
async function pullRequestOf(env: Context['env']): Promise<number | null> {
  const [, number] = /^refs\/pull\/(\d+)\//.exec(env['GITHUB_REF'] ?? '') ?? [];
  if (number) return Number(number);
  const path = env['GITHUB_EVENT_PATH'];
  if (!path) return null;
  const event = JSON.parse(await readFile(path, 'utf8')) as { pull_request?: { number?: unknown } };
  const found = event.pull_request?.number;
  return typeof found === 'number' ? found : null;
}
