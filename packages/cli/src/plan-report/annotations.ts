import { Chalk } from 'chalk';
import type { Diagnostic } from '../manifest/diagnostic.ts';
import type { Change } from '../plan/change.ts';
import { renderChange } from '../plan/render-text.ts';
import type { PlanReport } from './plan-report.ts';

/** A remark about one line of a manifest. */
export interface Annotation extends Diagnostic {
  level: 'error' | 'warning' | 'notice';
  title: string;
}

/** Returns the path of a file in the form in which GitHub or GitLab shows it. */
export type PathOf = (file: string) => string;

/**
 * Returns a remark for each fault, each warning and each change. A deleted object has no line in the manifest, so its
 * remark is at the first line.
 */
export function annotationsOf({ manifest, plan, faults, warnings }: PlanReport, pathOf: PathOf): Annotation[] {
  const [file = ''] = manifest.files;
  const annotations = [
    ...faults.map((fault): Annotation => ({ ...fault, level: 'error', title: 'fault in the manifest' })),
    ...warnings.map((warning): Annotation => ({ ...warning, level: 'warning', title: 'uptime' })),
    ...(plan?.changes ?? []).map((change) => annotationOf(change, file)),
  ];
  return annotations.map((annotation) => ({ ...annotation, file: pathOf(annotation.file) }));
}

function annotationOf(change: Change, file: string): Annotation {
  const [title = '', ...fields] = renderChange(change, new Chalk({ level: 0 })).split('\n');
  const place = change.action === 'delete' ? null : change.wanted.place('');
  const loses = change.action === 'delete' || change.action === 'replace';
  return {
    ...(place?.file ? place : { file, line: 1, column: 1 }),
    level: loses ? 'warning' : 'notice',
    title: title.slice(2),
    message: fields.map((field) => field.trim()).join('\n') || title.slice(2),
  };
}
