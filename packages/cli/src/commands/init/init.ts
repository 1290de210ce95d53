import { access, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { CliError } from '../../exit.ts';
import type { Remote } from '../../kinds/kind.ts';
import { plain } from '../../output.ts';
import { command } from '../../command.ts';
import { isSet, textFlag } from '../../flags/raw-flags.ts';
import { confirm } from '../../prompts/confirm.ts';
import { readSecrets } from '../../prompts/read-secrets.ts';
import { fieldFlags, readFields } from '../../flags/field-flags.ts';
import { monitorFlags } from '../../flags/fields/monitors.ts';

interface InitOptions {
  file: string;
  force: boolean;
  fields: Record<string, unknown>;
}

export const init = command<InitOptions>({
  path: 'init',
  summary: 'write a first monitors.yaml; asks on a terminal, takes flags elsewhere',
  examples: [
    'init --file first.yaml --name Shop --type http --url https://shop.example.com',
    'init --file first.yaml --key backup --name Backup --type heartbeat --interval 86400',
  ],
  define: (command) => {
    command
      .option('-f, --file <path>', 'the manifest to write', 'monitors.yaml')
      .option('--force', 'overwrite an existing file');
    fieldFlags(command, monitorFlags, true);
  },
  parse: (_args, flags) => ({
    file: textFlag(flags, 'file') ?? '',
    force: isSet(flags, 'force'),
    fields: readFields(flags, monitorFlags),
  }),

  async run({ file, force, fields: typed }, context) {
    const { io, cwd } = context;
    const path = resolve(cwd, file);
    if (!force && (await exists(path))) {
      if (!io.interactive) {
        throw new CliError(`${plain(file)} already exists; nothing was written`, {
          exit: 'usage',
          next: 'name another file with --file, or add --force to overwrite this one',
        });
      }
      await confirm({ message: `${plain(file)} already exists. Overwrite it?`, yes: false, next: '' }, context);
    }
    const { askFields } = await import('./ask-fields.ts');
    const { validInput } = await import('../../kinds/field-rules.ts');
    const { monitorRules } = await import('../../kinds/monitor.ts');
    const fields = await readSecrets(typed, monitorFlags, io);
    const given = { fields: io.interactive ? await askFields(fields, context) : fields, members: {} };
    const input = validInput(given, monitorRules, 'init') as Omit<Remote, 'id'>;
    const { writeManifest } = await import('../../manifest/write.ts');
    const { kinds } = await import('../../kinds/index.ts');
    const monitors = new Map([[kinds.monitor, [{ id: '', ...input }]]]);
    await write(
      path,
      writeManifest(monitors, { siteUrl: context.settings({}).siteUrl.value, showSecrets: true }),
      file,
    );
    io.say(`Wrote ${plain(file)}.`);
    io.say(`  \`uptime monitors test -f ${plain(file)}\` runs its check from this machine`);
    io.say(`  \`uptime apply -f ${plain(file)}\` creates it on the server`);
    return 'ok';
  },
});

async function write(path: string, text: string, file: string): Promise<void> {
  try {
    await writeFile(path, text);
  } catch (error) {
    throw new CliError(`${plain(file)} cannot be written: ${(error as Error).message}`, { cause: error });
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}
