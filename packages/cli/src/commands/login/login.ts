import type { Context } from '../../context.ts';
import { CliError } from '../../exit.ts';
import type { SettingFlags } from '../../settings.ts';
import { command } from '../../command.ts';
import { settingFlags, textFlag } from '../../flags/raw-flags.ts';
import { readSecret } from '../../prompts/read-secret.ts';

interface LoginOptions {
  settings: SettingFlags;
  email: string | undefined;
  /** The password itself, or `-` to read it from standard input. */
  password: string | undefined;
}

export const login = command<LoginOptions>({
  path: 'login',
  summary: "log in to an account, or store a project's API key",
  examples: ['login --api-key - < key.txt', 'login --email ada@example.com --password - < password.txt'],
  define: (command) => {
    command
      .option('--email <address>', 'log in to an account, which manages projects')
      .option('--password <password>', "the account's password; safer: give - to read it from standard input");
  },
  parse: (_args, flags) => {
    const options = {
      settings: settingFlags(flags),
      email: textFlag(flags, 'email'),
      password: textFlag(flags, 'password'),
    };
    const { apiKey } = options.settings;
    if (apiKey && (options.email ?? options.password)) {
      throw new CliError('--api-key and --email cannot be used together: give one', { exit: 'usage' });
    }
    return options;
  },

  async run(options, context) {
    const way = await chooseWay(options, context);
    if (way === 'account') {
      const { loginToAccount } = await import('./account.ts');
      return loginToAccount(options, context);
    }
    const { loginWithKey } = await import('./key.ts');
    const { value: site } = context.settings({ ...options.settings, apiKey: undefined }).siteUrl;
    const apiKey = await readSecret(
      { given: options.settings.apiKey, question: `API key of a project on ${site}`, what: 'key' },
      context,
    );
    return loginWithKey(apiKey.trim(), options.settings, context);
  },
});

async function chooseWay(
  { settings, email, password }: LoginOptions,
  { io, signal }: Context,
): Promise<'account' | 'key'> {
  if (settings.apiKey) return 'key';
  if (email ?? password) return 'account';
  if (!io.interactive) {
    throw new CliError('no key was given, and there is no terminal to ask on', {
      exit: 'usage',
      next:
        'type `uptime login --api-key <key>`, or `uptime login --api-key -` to read it from standard input;\n' +
        '  for an account, `uptime login --email <address> --password -`',
    });
  }
  const { select } = await import('@inquirer/prompts');
  return select(
    {
      message: 'Log in with',
      choices: [
        { name: 'e-mail and password', value: 'account' as const, description: 'manages projects and their keys' },
        { name: 'the API key of a project', value: 'key' as const, description: 'enough for CI' },
      ],
    },
    { input: io.stdin, output: io.stderr, signal },
  );
}
