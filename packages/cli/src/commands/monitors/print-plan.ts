import type { Context } from '../../context.ts';
import type { PlanFormat } from '../../flags/plan-format-flag.ts';
import type { Diagnostic } from '../../manifest/diagnostic.ts';
import { output } from '../../output.ts';
import type { Applied } from '../../plan/apply.ts';
import type { Plan } from '../../plan/change.ts';
import type { Print } from '../../plan/print-outcome.ts';
import type { PlanReport } from '../../plan-report/plan-report.ts';

interface PrintedPlan {
  format: PlanFormat;
  manifest: PlanReport['manifest'];
  plan: Plan;
  applied?: Pick<Applied, 'done' | 'skipped'>;
  warnings: readonly Diagnostic[];
}

/** Returns a function that prints the outcome of a run in the chosen format. */
export function printPlan({ format, applied, ...about }: PrintedPlan, context: Context): Print {
  return async (data, table, failed) => {
    const { isReportFormat, printReport } = await import('../../plan-report/print-report.ts');
    if (!isReportFormat(format)) return output(context.io, format === 'text' ? 'table' : format, data, table);
    const report = { ...about, faults: [], applied: applied ? { ...applied, failed } : null };
    await printReport(report, format, context);
  };
}

/**
 * Runs `planning`. If `planning` throws faults of the manifest, and the format is a report format such as `github`,
 * prints the faults before it throws them again.
 */
export async function withReportedFaults<R>(
  { format, manifest }: Pick<PrintedPlan, 'format' | 'manifest'>,
  context: Context,
  planning: () => Promise<R>,
): Promise<R> {
  try {
    return await planning();
  } catch (error) {
    const { ManifestFaults } = await import('../../manifest/manifest-faults.ts');
    const { isReportFormat, printReport } = await import('../../plan-report/print-report.ts');
    if (error instanceof ManifestFaults && isReportFormat(format)) {
      const report = { manifest, plan: null, applied: null, faults: error.faults, warnings: [] };
      await printReport(report, format, context);
    }
    throw error;
  }
}
