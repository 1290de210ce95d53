import { Option } from 'commander';
import { reporterNames, type ReporterChoice } from '../../check/reporters/reporter-names.ts';
import type { MonitorTest, TestReport } from '../../check/test-report.ts';
import { command } from '../../command.ts';
import type { Context } from '../../context.ts';
import { CliError } from '../../exit.ts';
import { formatFlag, readFormat } from '../../flags/output-flags.ts';
import { isSet, listFlag, type RawFlags, repeated } from '../../flags/raw-flags.ts';
import { whole } from '../../flags/whole.ts';
import type { ManifestChoice } from '../../manifest/manifest-choice.ts';
import { type Format, output, plain } from '../../output.ts';
import { fileFlag, readManifestChoice } from '../file-flag.ts';

interface TestFlags {
  format: Format;
  manifest: ManifestChoice;
  timing: boolean;
  explain: boolean;
  reporters: ReporterChoice[];
  only: string[];
  failFast: boolean;
  retries: number | undefined;
  parallel: number;
}

export const testMonitors = command<TestFlags>({
  path: 'monitors test',
  aliases: ['test'],
  summary: 'run each check of a manifest once, from this machine, without a server',
  examples: ['test', 'monitors test -f monitors.yaml --only shop --reporter list --reporter junit=report.xml'],
  define: (command) => {
    fileFlag(command)
      .option(
        '--only <monitor>',
        'only the monitor with this key or name, or monitors with a label name=value; may be repeated',
        repeated,
      )
      .addOption(reporterOption())
      .option('--fail-fast', 'start no further check after a failed one')
      .option('--retries <n>', "further attempts after a failed check (default: the monitor's own)", whole(0, 20))
      .addOption(new Option('--parallel <n>', 'maximum number of checks at once').argParser(whole(1, 100)).default(16))
      .option('--timing', 'show how long each phase took')
      .option('--explain', 'show the steps of each check');
    formatFlag(command);
  },
  parse: (_args, flags) => ({
    format: readFormat(flags),
    manifest: readManifestChoice(flags),
    timing: isSet(flags, 'timing'),
    explain: isSet(flags, 'explain'),
    reporters: readReporters(flags),
    only: listFlag(flags, 'only'),
    failFast: isSet(flags, 'failFast'),
    retries: flags['retries'] as number | undefined,
    parallel: flags['parallel'] as number,
  }),

  async run(flags, context) {
    const { readManifests } = await import('../../manifest/read.ts');
    const { chooseTests } = await import('../../check/choose-tests.ts');
    const { testLocally } = await import('../../check/test-locally.ts');
    const { monitorsOf } = await import('../../manifest/item.ts');
    const { hasFailed } = await import('../../check/test-report.ts');
    const { openReports } = await import('../../check/reporters/write-reports.ts');
    const { items } = await readManifests(flags.manifest, context);
    const wanted = chooseTests(monitorsOf(items), flags.only);
    const { onTest, onEnd } = openReports(flags.reporters, context);
    const startedAt = Date.now();
    const begunMonoMs = performance.now();
    const tests = await testLocally(wanted, { ...flags, onTest }, context);
    const report = { tests, startedAt, tookMs: performance.now() - begunMonoMs };
    if (flags.reporters.length === 0) await printTable(report, flags, context);
    else await onEnd(report);
    if (context.signal.aborted) return 'interrupted';
    return tests.some(hasFailed) ? 'failed' : 'ok';
  },
});

/**
 * Declares `--reporter`. Its choices are only for completion. Commander does not check the value, because a file may
 * follow the name of the reporter. `readReporters` checks the value.
 */
function reporterOption(): Option {
  const about = 'report in this form instead of -o, on standard output or in a file; may be repeated';
  const option = new Option('--reporter <name[=file]>', about).argParser(repeated);
  option.argChoices = [...reporterNames];
  return option;
}

/** Prints the outcomes in the format of `-o`. Says on standard error how many monitors were not tested, and why. */
async function printTable(report: TestReport, { format, timing, explain }: TestFlags, { io }: Context): Promise<void> {
  const { renderOutcomes } = await import('../../check/render-outcomes.ts');
  const { hasPassed, isTested } = await import('../../check/test-report.ts');
  const { passiveMonitorTypes } = await import('@uptime/sdk/contract');
  const tested = report.tests.filter(isTested);
  const data = tested.map(({ outcome, place: _place, skipped: _skipped, ...about }) => ({ ...about, ...outcome }));
  await output(io, format, data, () => renderOutcomes(tested, { timing, explain }, io));
  const count = (why: MonitorTest['skipped']) => report.tests.filter(({ skipped }) => skipped === why).length;
  const passive = count('waits for pings, so it cannot be tested');
  if (passive > 0)
    io.say(`Not tested: ${passive} of type ${passiveMonitorTypes.join(' or ')}, because they wait for pings.`);
  if (count('is paused') > 0) io.say(`Not tested: ${count('is paused')} paused.`);
  const unstarted = count('not started: another test failed');
  if (unstarted > 0) io.say(`Not tested: ${unstarted} not started, as another check failed.`);
  io.say(`${tested.filter(hasPassed).length} of ${tested.length} passed.`);
}

/**
 * Reads `--reporter name` and `--reporter name=file`. Throws a CliError if several reporters would write to standard
 * output.
 */
function readReporters(flags: RawFlags): ReporterChoice[] {
  const choices = listFlag(flags, 'reporter').map((text) => {
    const [word = '', ...rest] = text.split('=');
    const name = reporterNames.find((known) => known === word);
    const file = rest.length > 0 ? rest.join('=') : null;
    if (name && file !== '') return { name, file };
    throw new CliError(`--reporter ${plain(text)} is not one of ${reporterNames.join(', ')}`, {
      exit: 'usage',
      next: 'write a name, such as --reporter list, or a name and a file, such as --reporter junit=report.xml',
    });
  });
  if (choices.filter(({ file }) => file === null).length > 1) {
    throw new CliError('only one reporter can write to standard output', {
      exit: 'usage',
      next: 'give the others a file, such as --reporter junit=report.xml',
    });
  }
  return choices;
}
