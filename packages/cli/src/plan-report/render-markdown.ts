import { createHash } from 'node:crypto';
import { Chalk } from 'chalk';
import { formatDiagnostic } from '../manifest/diagnostic.ts';
import { counts, renderChange } from '../plan/render-text.ts';
import { fenced } from './escapes.ts';
import type { PlanReport } from './plan-report.ts';

/** Maximum number of characters in a comment. GitHub accepts 65,536; the rest is a reserve. */
const maxCharacters = 60_000;

/** Returns the hidden first line of a comment. A later run finds the comment about the same manifest by this line. */
export function markerOf({ manifest: { files, environment } }: PlanReport): string {
  const about = JSON.stringify([files, environment]);
  return `<!-- uptime-plan:${createHash('sha256').update(about).digest('hex').slice(0, 16)} -->`;
}

/** Renders a report as a comment. Names and values are only in blocks of code, so they cannot act as markup. */
export function renderMarkdown(report: PlanReport): string {
  const { plan, applied, faults, warnings } = report;
  const parts = [markerOf(report), `### uptime: ${headline(report)}`];
  if (faults.length > 0) parts.push(block(faults.map(formatDiagnostic), 'text', 'faults'));
  if (plan && plan.changes.length > 0) {
    const plainPaint = new Chalk({ level: 0 });
    const changes = plan.changes.map((change) => renderChange(change, plainPaint).replace(/^[~\u00b1]/, '!'));
    parts.push(block(changes, 'diff', 'changes'));
  }
  if (applied && applied.failed.length > 0) parts.push('Failed:', block(applied.failed, 'text', 'failures'));
  if (warnings.length > 0) parts.push('Warnings:', block(warnings.map(formatDiagnostic), 'text', 'warnings'));
  return parts.join('\n\n');
}

function headline({ plan, applied, faults }: PlanReport): string {
  if (!plan) return faults.length === 1 ? 'one fault in the manifest' : `${faults.length} faults in the manifest`;
  const planned = counts(plan).replace(/\.$/, '');
  if (!applied) return planned;
  const left = applied.failed.length + applied.skipped.length;
  return left === 0
    ? `applied ${applied.done.length} changes`
    : `applied ${applied.done.length} of ${plan.changes.length} changes`;
}

/** Returns a block of code with as many of the lines as fit into a comment. */
function block(lines: readonly string[], language: string, many: string): string {
  let length = 0;
  const maxSectionCharacters = maxCharacters / 3;
  const fitting = lines.findIndex(
    (line) => (length += line.length + 1) > (language === 'diff' ? maxSectionCharacters * 2 : maxSectionCharacters / 2),
  );
  if (fitting < 0) return fenced(lines.join('\n'), language);
  const shown = fenced(lines.slice(0, fitting).join('\n'), language);
  return `${shown}\n\n… and ${lines.length - fitting} more ${many}; the log of the job has all of them.`;
}
