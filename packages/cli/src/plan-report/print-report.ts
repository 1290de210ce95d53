import { appendFile } from 'node:fs/promises';
import type { Context } from '../context.ts';
import type { PlanFormat } from '../flags/plan-format-flag.ts';
import { repositoryPath } from '../manifest/repository-path.ts';
import { plain } from '../output.ts';
import { keepGithubComment } from './github-comment.ts';
import { keepGitlabComment } from './gitlab-comment.ts';
import type { PlanReport } from './plan-report.ts';
import { renderGithub } from './render-github.ts';
import { renderGitlab } from './render-gitlab.ts';
import { renderMarkdown } from './render-markdown.ts';

/** The formats of reports: for GitHub, for GitLab, and as Markdown for comments. */
export type ReportFormat = Extract<PlanFormat, 'markdown' | 'github' | 'gitlab'>;

export const isReportFormat = (format: PlanFormat): format is ReportFormat =>
  format === 'markdown' || format === 'github' || format === 'gitlab';

/**
 * Prints a report. In the formats for GitHub and GitLab, also writes the comment on the pull request or merge request.
 * For GitHub, also writes the summary of the job.
 */
export async function printReport(given: PlanReport, format: ReportFormat, context: Context): Promise<void> {
  const { io, env } = context;
  const pathOf = (file: string) => repositoryPath(file, context);
  // Paths from the root of the repository distinguish manifests that have the same name in different folders. Each of
  // these manifests has its own comment.
  const report = { ...given, manifest: { ...given.manifest, files: given.manifest.files.map(pathOf) } };
  if (format === 'markdown') return io.print(renderMarkdown(report));
  if (format === 'gitlab') {
    io.print(renderGitlab(report, pathOf));
    return keepGitlabComment(report, context);
  }
  io.print(renderGithub(report, pathOf));
  const summary = env['GITHUB_STEP_SUMMARY'];
  if (summary) await writeSummary(summary, report, context);
  await keepGithubComment(report, context);
}

/**
 * Writes the summary of the job. If that fails, prints only a warning, because the report was already printed, and an
 * apply has already changed the server.
 */
async function writeSummary(file: string, report: PlanReport, { io }: Context): Promise<void> {
  try {
    await appendFile(file, `${renderMarkdown(report)}\n`);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    io.say(`${io.err.yellow('warning:')} the summary of the job could not be written: ${plain(reason)}`);
  }
}
