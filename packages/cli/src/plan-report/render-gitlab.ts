import { createHash } from 'node:crypto';
import { escapeControls } from '../output.ts';
import { annotationsOf, type PathOf } from './annotations.ts';
import { visible } from './escapes.ts';
import type { PlanReport } from './plan-report.ts';

const severities = { error: 'blocker', warning: 'major', notice: 'info' } as const;

/**
 * Renders a report as a code quality report of GitLab. Merge requests show its entries beside the lines of the
 * manifest.
 */
export function renderGitlab(report: PlanReport, pathOf: PathOf): string {
  const entries = annotationsOf(report, pathOf).map(({ level, file, line, title, message }) => {
    const description = visible([title, message.replaceAll('\n', '; ')].filter(Boolean).join(': '));
    const fingerprint = createHash('sha256')
      .update(JSON.stringify([file, line, level, description]))
      .digest('hex');
    const location = { path: file, lines: { begin: line } };
    return { description, check_name: 'uptime', fingerprint, severity: severities[level], location };
  });
  return escapeControls(JSON.stringify(entries, null, 2));
}
