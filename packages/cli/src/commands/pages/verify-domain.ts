import { output, plain } from '../../output.ts';
import type { SettingFlags } from '../../settings.ts';
import { command } from '../../command.ts';
import { settingFlags } from '../../flags/raw-flags.ts';
import { readShown, type Shown, shownFlags } from '../../flags/output-flags.ts';

interface VerifyOptions extends Shown {
  settings: SettingFlags;
  page: string;
}

export const verifyDomain = command<VerifyOptions>({
  path: 'pages verify-domain',
  summary: "check now where a page's domain points, and request its certificate; exits with 0 only if the domain works",
  examples: ['pages verify-domain shop', 'pages verify-domain shop -o json'],
  define: (command) => shownFlags(command.argument('<page>', 'its id, key, slug or name')),
  parse: ([page], flags) => ({ settings: settingFlags(flags), ...readShown(flags), page: page ?? '' }),

  async run({ settings, page: word, format, quiet }, { io, signal, connect }) {
    const client = await connect(settings);
    const { findPage } = await import('./find.ts');
    const { tellDomain } = await import('./show.ts');
    const found = await findPage(client, word, signal);
    const page = await client.statusPages.verifyDomain(found.id, { signal });
    const { id, name, customDomain, domain } = page;
    if (quiet) io.print(id);
    else {
      io.say(plain(`${customDomain}: ${domain ? tellDomain(domain) : 'no domain'}`));
      await output(io, format, { id, name, customDomain, domain }, () => '');
    }
    return domain?.status === 'active' ? 'ok' : 'failed';
  },
});
