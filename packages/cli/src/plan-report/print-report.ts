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

/** The formats for GitHub, GitLab and comments. */
export type ReportFormat = Extract<PlanFormat, 'markdown' | 'github' | 'gitlab'>;

export const isReportFormat = (format: PlanFormat): format is ReportFormat =>
  format === 'markdown' || format === 'github' || format === 'gitlab';

/**
 * Prints a report. For GitHub and GitLab it also writes the comment on the pull request, and for GitHub the summary of
 * the job.
 */
export async function printReport(given: PlanReport, format: ReportFormat, context: Context): Promise<void> {
  const { io, env } = context;
  const pathOf = (file: string) => repositoryPath(file, context);
  // The path from the root distinguishes manifests of the same name in several folders. Each has its own comment.
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
 * Writes the summary of the job. A failure is only a warning, because the report is printed too, and an apply has
 * already changed the server.
 */
async function writeSummary(file: string, report: PlanReport, { io }: Context): Promise<void> {
  try {
    await appendFile(file, `${renderMarkdown(report)}\n`);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    io.say(`${io.err.yellow('warning:')} the summary of the job could not be written: ${plain(reason)}`);
  }
}
