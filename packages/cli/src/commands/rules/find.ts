import type { AlertRule, Uptime } from '@uptime/sdk';
import { find } from '../find.ts';

/** The alert rule that goes by an id, a key or a name. Throws a CliError when none or several do. */
export const findRule = (client: Uptime, word: string, signal: AbortSignal): Promise<AlertRule> =>
  find(word, {
    one: 'alert rule',
    many: 'alert rules',
    prefix: 'rul_',
    listing: 'rules list',
    list: (query) => client.alertRules.list(query, { signal }),
  });
