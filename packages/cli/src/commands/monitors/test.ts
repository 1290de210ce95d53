import { type Format, output } from '../../output.ts';
import { command } from '../../command.ts';
import { isSet } from '../../flags/raw-flags.ts';
import { fileFlag, readFiles } from '../file-flag.ts';
import { formatFlag, readFormat } from '../../flags/output-flags.ts';

interface TestOptions {
  format: Format;
  files: string[];
  timing: boolean;
  explain: boolean;
}

export const testMonitors = command<TestOptions>({
  path: 'monitors test',
  aliases: ['test'],
  summary: 'run each check of a manifest once, from this machine, without a server',
  examples: ['test', 'monitors test -f monitors.yaml --timing --explain'],
  define: (command) => {
    fileFlag(command)
      .option('--timing', 'show how long each phase took')
      .option('--explain', 'show the steps of each check');
    formatFlag(command);
  },
  parse: (_args, flags) => ({
    format: readFormat(flags),
    files: readFiles(flags),
    timing: isSet(flags, 'timing'),
    explain: isSet(flags, 'explain'),
  }),

  async run({ format, files, timing, explain }, context) {
    const { io } = context;
    const { readManifests } = await import('../../manifest/read.ts');
    const { testLocally } = await import('../../check/test-locally.ts');
    const { renderOutcomes } = await import('../../check/render-outcomes.ts');
    const { passiveMonitorTypes } = await import('@uptime/sdk/contract');
    const { monitorsOf } = await import('../../manifest/item.ts');
    const { items } = await readManifests(files, context);
    const wanted = monitorsOf(items);
    const { tested, passive, paused } = await testLocally(wanted, context);
    await output(
      io,
      format,
      tested.map(({ outcome, ...about }) => ({ ...about, ...outcome })),
      () => renderOutcomes(tested, { timing, explain }, io),
    );
    const passiveTypes = passiveMonitorTypes.join(' or ');
    if (passive > 0) io.say(`Not tested: ${passive} of type ${passiveTypes}, as they wait for pings.`);
    if (paused > 0) io.say(`Not tested: ${paused} paused.`);
    const failed = tested.filter(({ outcome }) => outcome.verdict !== 'up').length;
    io.say(`${tested.length - failed} of ${tested.length} passed.`);
    if (context.signal.aborted) return 'interrupted';
    return failed === 0 ? 'ok' : 'failed';
  },
});
