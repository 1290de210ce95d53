import { command } from '../../command.ts';
import { CliError } from '../../exit.ts';
import { isSet, settingFlags } from '../../flags/raw-flags.ts';
import type { ManifestChoice } from '../../manifest/manifest-choice.ts';
import { plain } from '../../output.ts';
import type { SettingFlags } from '../../settings.ts';
import { fileFlag, readManifestChoice } from '../file-flag.ts';

interface PullOptions {
  settings: SettingFlags;
  manifest: ManifestChoice;
  dryRun: boolean;
  /** Whether the pull adds an object to the manifest if only the server has the object. */
  addsNew: boolean;
  allowDeletes: boolean;
}

export const pullMonitors = command<PullOptions>({
  path: 'monitors pull',
  aliases: ['pull'],
  summary: 'write edits that were made on the server into the manifest',
  examples: ['pull --dry-run', 'monitors pull -f monitors.yaml'],
  define: (command) => {
    fileFlag(command)
      .option('--dry-run', 'say what would be written, and write nothing')
      .option('--no-new', 'leave out objects that only the server has')
      .option('--allow-deletes', 'allow pull to remove more than 30 % of a manifest that has at least ten items');
  },
  parse: (_args, flags) => {
    const manifest = readManifestChoice(flags);
    if (manifest.files.includes('-'))
      throw new CliError('pull writes files, so it cannot read standard input', {
        exit: 'usage',
        next: 'name a file with -f',
      });
    return {
      settings: settingFlags(flags),
      manifest,
      dryRun: isSet(flags, 'dryRun'),
      addsNew: flags['new'] !== false,
      allowDeletes: isSet(flags, 'allowDeletes'),
    };
  },

  async run({ settings, manifest, dryRun, addsNew, allowDeletes }, context) {
    const { io, cwd } = context;
    const { makePlan } = await import('../../plan/make.ts');
    const { pullInto } = await import('../../pull/pull.ts');
    const { editedTexts } = await import('../../pull/edited-texts.ts');
    const { writeFiles } = await import('../../pull/write-files.ts');
    const prepared = await makePlan({ settings, manifest, prune: addsNew, isOnlyLooking: true }, context);
    const pulled = pullInto(prepared);
    const texts = editedTexts(pulled);
    if (!allowDeletes && prepared.items.length >= 10 && pulled.removed.length > prepared.items.length * 0.3) {
      throw new CliError(
        `the server lacks ${pulled.removed.length} of ${prepared.items.length} items, and pull would remove them; nothing was written`,
        { exit: 'usage', next: 'is this the right project? to remove these items, add --allow-deletes' },
      );
    }
    const edited = [...texts].map(([name, after]) => ({
      name,
      before: prepared.sources.find((source) => source.name === name)?.text,
      after,
    }));
    if (!dryRun) await writeFiles(edited, cwd, context.processes);
    const done = dryRun ? 'would be written' : 'written';
    io.print(
      pulled.written === 0 && pulled.unwritten.length === 0
        ? 'Nothing to do: the manifest describes the server.'
        : `${pulled.written} ${pulled.written === 1 ? 'edit' : 'edits'} ${done} to ${[...texts.keys()].map(plain).join(', ') || 'no file'}.`,
    );
    for (const item of pulled.removed)
      io.say(`${dryRun ? 'would remove' : 'removed'} ${item}: the server does not have it`);
    for (const item of pulled.added) io.say(`${dryRun ? 'would add' : 'added'} ${item}: only the server had it`);
    if (pulled.variables.length > 0)
      io.say(`  secrets are left out: set ${pulled.variables.join(', ')} before you apply this`);
    for (const line of pulled.unwritten) io.say(`${io.err.yellow('left:')} ${line}`);
    return pulled.unwritten.length === 0 ? 'ok' : 'partial';
  },
});
