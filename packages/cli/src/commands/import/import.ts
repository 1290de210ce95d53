import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Argument } from 'commander';
import { command } from '../../command.ts';
import { CliError } from '../../exit.ts';
import { isSet, textFlag } from '../../flags/raw-flags.ts';
import type { Collection, Note } from '../../importers/collection.ts';
import { importFiles, type ImportKind, importKinds } from '../../importers/import-kinds.ts';
import type { Io } from '../../io.ts';
import { plain } from '../../output.ts';

interface ImportOptions {
  kind: ImportKind;
  file: string;
  out: string | undefined;
  force: boolean;
}

export const importMonitors = command<ImportOptions>({
  path: 'import',
  summary: 'write a manifest from the configuration of another program, and say what could not be carried over',
  examples: ['import gatus config.yaml --out imported.yaml', 'import crontab jobs.cron'],
  define(command) {
    command
      .addArgument(new Argument('<kind>', 'the program').choices(importKinds))
      .argument('<file>', `its file: ${Object.values(importFiles).join('; ')}`)
      .option('--out <file>', 'the manifest to write (default: standard output)')
      .option('--force', 'overwrite an existing file');
  },
  parse: ([kind, file = ''], flags) => ({
    kind: importKinds.find((known) => known === kind)!,
    file,
    out: textFlag(flags, 'out'),
    force: isSet(flags, 'force'),
  }),

  async run({ kind, file, out, force }, context) {
    const { io, cwd } = context;
    const { importers } = await import('../../importers/index.ts');
    const { openSource } = await import('../../importers/read-source.ts');
    const { runImport } = await import('../../importers/run-import.ts');
    const source = await openSource(file, cwd, importers[kind]);
    const { text, variables, notes, placeOf, count } = await runImport(
      importers[kind],
      source,
      context.settings({}).siteUrl.value,
    );
    notes.forEach((note) => io.say(line(note, placeOf, io)));
    if (count === 0) throw new CliError('nothing could be carried over; nothing was written');
    if (out === undefined) io.print(text.trimEnd());
    else {
      await write(resolve(cwd, out), text, { name: plain(out), force });
      io.say(`Wrote ${plain(out)}: ${count} items.`);
      io.say(
        `  \`uptime validate -f ${plain(out)}\` and \`uptime test -f ${plain(out)}\` find problems before \`uptime apply\``,
      );
    }
    if (variables.length > 0) io.say(`Set ${variables.join(', ')} before you validate or apply: secrets are left out.`);
    return 'ok';
  },
});

function line({ level, about, text }: Note, placeOf: Collection['placeOf'], { err }: Io): string {
  const paint = { lost: err.red, changed: err.yellow, better: err.green }[level];
  const at = about === null ? null : placeOf(about);
  const place = at === null ? '' : ` (${at.file === null ? '' : `${at.file}, `}line ${at.line})`;
  return `${paint(`${level}:`)} ${about === null ? '' : `${plain(about)}${place}: `}${plain(text)}`;
}

async function write(path: string, text: string, { name, force }: { name: string; force: boolean }): Promise<void> {
  try {
    await writeFile(path, text, { flag: force ? 'w' : 'wx' });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== 'EEXIST') throw new CliError(`${name} cannot be written: ${message}`, { cause: error });
    throw new CliError(`${name} already exists; nothing was written`, {
      exit: 'usage',
      next: 'name another file with --out, or add --force to overwrite this one',
      cause: error,
    });
  }
}
