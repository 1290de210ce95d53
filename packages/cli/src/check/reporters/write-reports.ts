import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Context } from '../../context.ts';
import { CliError } from '../../exit.ts';
import { repositoryPath } from '../../manifest/repository-path.ts';
import { plain } from '../../output.ts';
import type { MonitorTest, TestReport } from '../test-report.ts';
import { reporters } from './index.ts';
import type { ReporterChoice } from './reporter-names.ts';

/** Reports each test when it ends, and the whole run when all tests have ended. */
export interface Reports {
  onTest: (test: MonitorTest) => void;
  /** Writes the report files. If a file cannot be written, writes the other files first, and then throws a CliError. */
  onEnd: (report: TestReport) => Promise<void>;
}

export function openReports(choices: readonly ReporterChoice[], context: Pick<Context, 'io' | 'cwd' | 'env'>): Reports {
  const { io, cwd } = context;
  const open = choices.map(({ name, file }) => ({ reporter: reporters[name], file, text: '' }));
  const put = (to: (typeof open)[number], text: string) => {
    if (to.file === null) io.stdout.write(text);
    else to.text += text;
  };
  return {
    onTest: (test) => open.forEach((to) => put(to, to.reporter.onTest?.(test) ?? '')),
    async onEnd(report) {
      const faults: string[] = [];
      let isMissing = false;
      for (const to of open) {
        put(
          to,
          to.reporter.onEnd(report, (file) => repositoryPath(file, context)),
        );
        if (to.file === null) continue;
        try {
          await writeFile(resolve(cwd, to.file), to.text);
        } catch (error) {
          faults.push(`${plain(to.file)} cannot be written: ${(error as Error).message}`);
          isMissing ||= (error as NodeJS.ErrnoException).code === 'ENOENT';
        }
      }
      const next = isMissing ? { next: 'name a file in a folder that exists' } : {};
      if (faults.length > 0) throw new CliError(faults.join('\n'), next);
    },
  };
}
