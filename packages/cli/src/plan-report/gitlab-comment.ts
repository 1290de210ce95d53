import type { Context } from '../context.ts';
import { type Call, type Comment, keepComment } from './keep-comment.ts';
import type { PlanReport } from './plan-report.ts';

interface GitlabComment extends Comment {
  author: { id: number } | null;
}

/**
 * Writes the plan into a comment on the merge request that this job runs for. Later runs update the same comment. Needs
 * a GITLAB_TOKEN with the scope `api`, because the token of a job may not write comments. Does nothing without a token
 * or a merge request.
 *
 * See https://docs.gitlab.com/api/notes/ and https://docs.gitlab.com/ci/variables/predefined_variables/.
 */
export async function keepGitlabComment(report: PlanReport, context: Context): Promise<void> {
  const { env } = context;
  const token = env['GITLAB_TOKEN'];
  const api = env['CI_API_V4_URL'];
  // The project of the merge request. In a pipeline of a fork, CI_PROJECT_ID is the fork instead.
  const project = env['CI_MERGE_REQUEST_PROJECT_ID'];
  const number = env['CI_MERGE_REQUEST_IID'];
  if (!token || !api || !project || !number) return;
  const comments = `/projects/${encodeURIComponent(project)}/merge_requests/${encodeURIComponent(number)}/notes`;
  await keepComment<GitlabComment>(
    report,
    {
      forge: 'GitLab',
      subject: 'merge request',
      needs: 'GITLAB_TOKEN must be a project access token with the scope `api` and at least the role Reporter',
      api,
      headers: { 'private-token': token },
      comments,
      edit: (id) => ['PUT', `${comments}/${id}`],
      findOwn,
    },
    context,
  );
}

async function findOwn(marked: readonly GitlabComment[], call: Call): Promise<GitlabComment | undefined> {
  const { id } = (await call('GET', '/user')) as { id: number };
  return marked.find(({ author }) => author?.id === id);
}
