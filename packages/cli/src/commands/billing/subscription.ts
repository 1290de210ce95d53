import { type Format, output, pairs } from '../../output.ts';
import type { SettingFlags } from '../../settings.ts';
import { command } from '../../command.ts';
import { settingFlags } from '../../flags/raw-flags.ts';
import { formatFlag, readFormat } from '../../flags/output-flags.ts';

interface SubscriptionOptions {
  settings: SettingFlags;
  format: Format;
}

export const showSubscription = command<SubscriptionOptions>({
  path: 'billing subscription',
  summary: 'show the current or last plan of your account, and whether it is paid',
  examples: ['billing subscription', 'billing subscription -o json'],
  define: formatFlag,
  parse: (_args, flags) => ({ settings: settingFlags(flags), format: readFormat(flags) }),

  async run({ settings, format }, context) {
    const { io, signal } = context;
    const client = await context.connectAccount(settings);
    const subscription = await client.billing.subscription({ signal });
    const plan = (await client.billing.plans({ signal })).find(({ id }) => id === subscription.planId);
    const { planId, status, currentPeriodStart, currentPeriodEnd } = subscription;
    await output(io, format, subscription, () =>
      pairs([
        ['plan', plan ? `${plan.name} (${planId})` : planId],
        ['status', status],
        ['period', `${currentPeriodStart} to ${currentPeriodEnd}`],
      ]),
    );
    return 'ok';
  },
});
