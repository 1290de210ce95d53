import { type Command, Option } from 'commander';
import { command } from '../../command.ts';
import { connect } from '../../connection.ts';
import { duration } from '../../flags/duration.ts';
import { readShown, type Shown, shownFlags } from '../../flags/output-flags.ts';
import { settingFlags } from '../../flags/raw-flags.ts';
import { keys } from '../../nouns/keys.ts';
import type { SettingFlags } from '../../settings.ts';

/**
 * The same scopes as in the contract. They are repeated here, because the start of the program must not load the
 * contract.
 */
const scopes = ['ping', 'read', 'apply', 'full'] as const;

interface CreateKey {
  settings: SettingFlags;
  shown: Shown;
  name: string;
  scope: (typeof scopes)[number];
  expiresInMs: number | null;
}

export const createKey = command<CreateKey>({
  path: 'keys create',
  summary: 'create a key for a machine, and show it once',
  examples: ['keys create --name ci --scope apply --expires 90d', 'keys create --name backup-job --scope ping -o json'],
  define(command: Command) {
    command
      .requiredOption('--name <text>', 'what uses the key; unique in the project')
      .addOption(
        new Option('--scope <scope>', 'what it may do; each scope includes the ones before it')
          .choices(scopes)
          .makeOptionMandatory(),
      )
      .option('--expires <duration>', 'how long it works, such as 90d; default: for ever', duration);
    shownFlags(command);
  },
  parse: (_args, flags) => ({
    settings: settingFlags(flags),
    shown: readShown(flags),
    name: String(flags['name']),
    // Commander accepts only the values in `scopes` for this flag.
    scope: flags['scope'] as CreateKey['scope'],
    expiresInMs: (flags['expires'] as number | undefined) ?? null,
  }),

  async run({ settings, shown, name, scope, expiresInMs }, context) {
    const connection = await connect(settings, context);
    const { client, signal, io } = connection;
    const expiresAt = expiresInMs === null ? null : new Date(Date.now() + expiresInMs).toISOString();
    const created = await client.projects.keys.create('current', { name, scope, expiresAt }, { signal });
    await keys.show(created, shown, connection);
    if (shown.quiet)
      io.say('The key was not printed, and cannot be shown again. To see a key, create another one without --quiet.');
    else io.say('The key is shown only now. Store it where the machine reads UPTIME_API_KEY.');
    return 'ok';
  },
});
