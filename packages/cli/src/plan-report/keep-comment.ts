import type { Context } from '../context.ts';
import { plain } from '../output.ts';
import type { PlanReport } from './plan-report.ts';
import { markerOf, renderMarkdown } from './render-markdown.ts';

/** A comment on a pull request or merge request. */
export interface Comment {
  id: number;
  body: string;
}

/** The comments of one pull request or merge request. The paths are relative to the address of the API. */
export interface Thread<C extends Comment> {
  forge: 'GitHub' | 'GitLab';
  /** The word that GitHub or GitLab uses for the place of the comments. */
  subject: 'pull request' | 'merge request';
  /** Advice for a job whose token may not write comments. */
  needs: string;
  api: string;
  headers: Record<string, string>;
  /** The path of the list of comments. */
  comments: string;
  /** Returns the method and path that change a comment. */
  edit: (id: number) => [method: 'PATCH' | 'PUT', path: string];
  /**
   * Returns the comment of this job. `marked` are the comments that begin with the marker. A comment of another author
   * does not qualify, because that author could change it later.
   */
  findOwn: (marked: readonly C[], call: Call) => Promise<C | undefined>;
}

/** Sends a request to GitHub or GitLab, and returns the JSON of the answer. Throws if the request fails. */
export type Call = (method: string, path: string, body?: object) => Promise<unknown>;

/** Maximum number of pages, of 100 comments each, in which a job searches for its own comment. */
const maxPages = 10;
const timeoutMs = 20_000;

/**
 * Writes the comment with the plan, or updates it. If that fails, prints only a warning, because the plan is printed
 * too.
 */
export async function keepComment<C extends Comment>(
  report: PlanReport,
  thread: Thread<C>,
  context: Context,
): Promise<void> {
  const { io } = context;
  try {
    await keep(report, thread, callsTo(thread, context));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    io.say(`${io.err.yellow('warning:')} the comment on the ${thread.subject} could not be written: ${plain(reason)}`);
    io.say(`  ${thread.needs}`);
  }
}

async function keep<C extends Comment>(report: PlanReport, thread: Thread<C>, call: Call): Promise<void> {
  const body = renderMarkdown(report);
  const own = await findOwn(thread, markerOf(report), call);
  if (own) await call(...thread.edit(own.id), { body });
  else await call('POST', thread.comments, { body });
}

async function findOwn<C extends Comment>(
  { comments, findOwn }: Thread<C>,
  marker: string,
  call: Call,
): Promise<C | null> {
  for (let page = 1; page <= maxPages; page++) {
    const all = (await call('GET', `${comments}?per_page=100&page=${page}`)) as C[];
    const marked = all.filter(({ body }) => body.startsWith(marker));
    const own = marked.length > 0 ? await findOwn(marked, call) : undefined;
    if (own) return own;
    if (all.length < 100) return null;
  }
  return null;
}

function callsTo<C extends Comment>(
  { forge, api, headers }: Thread<C>,
  { fetch: fetchFrom = fetch, signal }: Context,
): Call {
  return async (method, path, body) => {
    const answer = await fetchFrom(`${api}${path}`, {
      method,
      headers: { ...headers, 'user-agent': 'uptime', ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
      redirect: 'error',
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
    if (!answer.ok) throw new Error(`${forge} answered ${answer.status}`);
    return answer.json();
  };
}
