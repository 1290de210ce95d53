import { Chalk } from 'chalk';
import { plain } from '../output.ts';
import { renderText } from '../plan/render-text.ts';
import { type Annotation, annotationsOf, type PathOf } from './annotations.ts';
import { commandProperty, commandText, visible, withoutCommands } from './escapes.ts';
import type { PlanReport } from './plan-report.ts';

/** GitHub shows at most this number of annotations of each level for a step. */
const maxShown = 10;

/** Renders a report for the log of GitHub Actions: the plan, and commands that annotate the lines of the manifest. */
export function renderGithub(report: PlanReport, pathOf: PathOf): string {
  const { plan } = report;
  const text = plan ? [withoutCommands(visible(renderText(plan, new Chalk({ level: 0 }))))] : [];
  const all = annotationsOf(report, pathOf);
  const levels = (['error', 'warning', 'notice'] as const).flatMap((level) =>
    all.filter((one) => one.level === level).slice(0, level === 'error' ? all.length : maxShown),
  );
  return [...text, ...levels.map(command)].join('\n');
}

function command({ level, file, line, column, title, message }: Annotation): string {
  const properties = { file: plain(file), line: String(line), col: String(column), title };
  const pairs = Object.entries(properties).map(([name, value]) => `${name}=${commandProperty(value)}`);
  return `::${level} ${pairs.join(',')}::${commandText(message)}`;
}
