import { appendFile } from 'node:fs/promises';
import type { Context } from '../context.ts';
import type { PlanFormat } from '../flags/plan-format-flag.ts';
import { repositoryPath } from '../manifest/repository-path.ts';
import { keepGithubComment } from './github-comment.ts';
import type { PlanReport } from './plan-report.ts';
import { renderGithub } from './render-github.ts';
import { renderGitlab } from './render-gitlab.ts';
import { renderMarkdown } from './render-markdown.ts';

/** The formats that tell a forge. */
export type ReportFormat = Extract<PlanFormat, 'markdown' | 'github' | 'gitlab'>;

export const isReportFormat = (format: PlanFormat): format is ReportFormat =>
  format === 'markdown' || format === 'github' || format === 'gitlab';

/** Prints a report. For GitHub it also writes the summary of the job, and the comment on the pull request. */
export async function tellReport(given: PlanReport, format: ReportFormat, context: Context): Promise<void> {
  const { io, env } = context;
  const pathOf = (file: string) => repositoryPath(file, context);
  // Manifests of the same name in several folders have comments of their own.
  const report = { ...given, manifest: { ...given.manifest, files: given.manifest.files.map(pathOf) } };
  if (format === 'markdown') return io.print(renderMarkdown(report));
  if (format === 'gitlab') return io.print(renderGitlab(report, pathOf));
  io.print(renderGithub(report, pathOf));
  const summary = env['GITHUB_STEP_SUMMARY'];
  if (summary) await appendFile(summary, `${renderMarkdown(report)}\n`);
  await keepGithubComment(report, context);
}
