import { output } from '../../output.ts';
import type { SettingFlags } from '../../settings.ts';
import { command } from '../../command.ts';
import { settingFlags } from '../../flags/raw-flags.ts';
import { readShown, type Shown, shownFlags } from '../../flags/output-flags.ts';

interface OpenOptions extends Shown {
  settings: SettingFlags;
  page: string;
}

export const openPage = command<OpenOptions>({
  path: 'pages open',
  summary: 'open a status page in the browser; without a terminal, print its address',
  examples: ['pages open shop', 'pages open shop -o json'],
  define: (command) => shownFlags(command.argument('<page>', 'its id, key, slug or name')),
  parse: ([page], flags) => ({ settings: settingFlags(flags), ...readShown(flags), page: page ?? '' }),

  async run({ settings, page: word, format, quiet }, context) {
    const { io, signal } = context;
    const client = await context.connect(settings);
    const { findPage } = await import('./find.ts');
    const { id, name, url } = await findPage(client, word, signal);
    if (quiet) {
      io.print(id);
      return 'ok';
    }
    await output(io, format, { id, name, url }, () => url);
    if (format !== 'table' || !io.interactive || !io.stdout.isTTY) return 'ok';
    const { openBrowser } = await import('../open-browser.ts');
    const refusal = await openBrowser(url, context);
    if (refusal) io.say(`The browser did not open (${refusal}): the page is at the address above.`);
    return 'ok';
  },
});
