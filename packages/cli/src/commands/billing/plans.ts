import type { Plan } from '@uptime/sdk';
import { type Format, output } from '../../output.ts';
import { type ListColumn, listTable } from '../../list-table.ts';
import type { SettingFlags } from '../../settings.ts';
import { interval } from '../../times.ts';
import { command } from '../../command.ts';
import { settingFlags } from '../../flags/raw-flags.ts';
import { formatFlag, readFormat } from '../../flags/output-flags.ts';

interface PlansOptions {
  settings: SettingFlags;
  format: Format;
}

export const listPlans = command<PlansOptions>({
  path: 'billing plans',
  summary: 'list the available plans; needs no login',
  examples: ['billing plans', 'billing plans -o json'],
  define: formatFlag,
  parse: (_args, flags) => ({ settings: settingFlags(flags), format: readFormat(flags) }),

  async run({ settings: flags, format }, context) {
    const { siteUrl } = context.settings(flags);
    const { Uptime } = await import('@uptime/sdk');
    const { fetch, io, signal } = context;
    const client = new Uptime({ apiKey: null, siteUrl: siteUrl.value, fetch, onRequest: context.tracer(flags) });
    const plans = await client.billing.plans({ signal });
    if (plans.length === 0) io.say('No plans are available.');
    await output(io, format, plans, () => listTable(io, plans, columns));
    return 'ok';
  },
});

const columns: readonly ListColumn<Plan>[] = [
  { title: 'NAME', value: ({ name }) => name, cut: true },
  { title: 'USD PER MONTH', value: ({ price }) => price.toFixed(2) },
  { title: 'MONITORS', value: ({ monitors }) => String(monitors) },
  {
    title: 'SHORTEST INTERVAL',
    value: ({ checkInterval }) => `${checkInterval} s`,
    short: ({ checkInterval }) => interval(checkInterval),
  },
  { title: 'REGIONS', value: ({ regions }) => String(regions) },
  { title: 'ID', value: ({ id }) => id },
];
