import type { AlertRule, Uptime } from '@uptime/sdk';
import { find } from '../../nouns/find.ts';

/** Finds an alert rule by its id, key or name. Throws a CliError if none or several match. */
export const findRule = (client: Uptime, word: string, signal: AbortSignal): Promise<AlertRule> =>
  find(word, {
    one: 'alert rule',
    many: 'alert rules',
    prefix: 'rul_',
    listing: 'rules list',
    list: (query) => client.alertRules.list(query, { signal }),
  });
