import type { SettingFlags } from '../../settings.ts';
import { command } from '../../command.ts';
import { settingFlags, textFlag } from '../../flags/raw-flags.ts';

interface SignupOptions {
  settings: SettingFlags;
  name: string | undefined;
  email: string | undefined;
  /** The password itself, or `-` to read it from standard input. */
  password: string | undefined;
  invitation: string | undefined;
}

export const signup = command<SignupOptions>({
  path: 'signup',
  summary: 'create an account on the server, and log in',
  examples: [
    'signup --name Grace --email grace@example.com --password - < password.txt',
    'signup --name Alan --email alan@example.com --invitation 4f0c99d2 --password - < password.txt',
  ],
  define: (command) => {
    command
      .option('--name <name>', 'your name')
      .option('--email <address>', 'your e-mail address')
      .option('--password <password>', '8 to 128 characters; safer: give - to read it from standard input')
      .option('--invitation <code>', 'invitation code, if the server requires one');
  },
  parse: (_args, flags) => ({
    settings: settingFlags(flags),
    name: textFlag(flags, 'name'),
    email: textFlag(flags, 'email'),
    password: textFlag(flags, 'password'),
    invitation: textFlag(flags, 'invitation'),
  }),

  async run(options, context) {
    const { signUpAccount } = await import('./account.ts');
    return signUpAccount(options, context);
  },
});
