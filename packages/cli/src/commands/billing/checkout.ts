import { type Format, output } from '../../output.ts';
import type { SettingFlags } from '../../settings.ts';
import { command } from '../../command.ts';
import { settingFlags } from '../../flags/raw-flags.ts';
import { formatFlag, readFormat } from '../../flags/output-flags.ts';

interface CheckoutOptions {
  settings: SettingFlags;
  format: Format;
  plan: string;
}

export const checkout = command<CheckoutOptions>({
  path: 'billing checkout',
  summary: 'pay for a plan: on a terminal, opens the payment page; elsewhere, prints its address',
  examples: ['billing checkout Team', 'billing checkout Team -o json'],
  define: (command) => formatFlag(command.argument('<plan>', 'its id or name')),
  parse: ([plan], flags) => ({ settings: settingFlags(flags), format: readFormat(flags), plan: plan ?? '' }),

  async run({ settings, format, plan: word }, context) {
    const { io, signal } = context;
    const client = await context.connectAccount(settings);
    const { find } = await import('../../nouns/find.ts');
    const plan = await find(
      word,
      { word: 'billing', one: 'plan', many: 'plans' },
      {
        by: 'id or name',
        prefix: 'pln_',
        listing: 'billing plans',
        list: () => client.billing.plans({ signal }),
      },
    );
    const { checkoutUrl } = await client.billing.checkout({ planId: plan.id }, { signal });
    await output(io, format, { checkoutUrl }, () => checkoutUrl);
    if (format !== 'table' || !io.interactive || !io.stdout.isTTY) return 'ok';
    const { openBrowser } = await import('../open-browser.ts');
    const refusal = await openBrowser(checkoutUrl, context);
    if (refusal) io.say(`The browser did not open (${refusal}): pay at the address above.`);
    return 'ok';
  },
});
