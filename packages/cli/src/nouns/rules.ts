import type { AlertRule } from '@uptime/sdk';
import { fieldFlags } from '../flags/field-flags.ts';
import { memberFlags, readMembers } from '../flags/reference-flags.ts';
import { fewNames } from './few-names.ts';
import { ruleFlags } from '../flags/fields/rules.ts';
import type { Noun } from './noun.ts';
import { showResource } from './show-resource.ts';

export const rules = {
  word: 'rules',
  one: 'alert rule',
  many: 'alert rules',
  argument: ['rule', 'its id, key or name'],

  async find(word, { client, signal }): Promise<AlertRule> {
    const { find } = await import('./find.ts');
    return find<AlertRule>(word, rules, {
      prefix: 'rul_',
      list: (query) => client.alertRules.list(query, { signal }),
    });
  },
  async show(rule, shown, connection) {
    const { io } = connection;
    if (shown.quiet || shown.format !== 'table') return showResource(io, rule, shown);
    const { readNamesById } = await import('./read-names-by-id.ts');
    const nameOf = await readNamesById(['monitors', 'channels'], connection);
    const { monitorIds, channelIds, ...rest } = rule;
    const inTable = { ...rest, monitors: monitorIds.map(nameOf), channels: channelIds.map(nameOf) };
    return showResource(io, rule, shown, inTable);
  },
  calls: ({ alertRules }) => alertRules,
  fields: {
    flags: ruleFlags,
    declare(command, isNew) {
      memberFlags(command);
      fieldFlags(command, ruleFlags, isNew);
    },
    members: readMembers,
    rules: async () => (await import('../kinds/alert-rule.ts')).alertRuleRules,
  },

  list: {
    summary: 'list the alert rules with their triggers, monitors and channels',
    examples: ['rules list', 'rules list -o json'],
    read: ({ client, signal }) => client.alertRules.list({}, { signal }),
    empty: 'No alert rules yet. `uptime rules create` creates one.',
    names: ['monitors', 'channels'],
    columns: ({ nameOf }) => [
      { title: 'NAME', value: ({ name }) => name, cut: true },
      { title: 'FIRES AT', value: triggerOf },
      { title: 'MONITORS', value: ({ monitorIds }) => fewNames(monitorIds.map(nameOf)), cut: true },
      { title: 'CHANNELS', value: ({ channelIds }) => fewNames(channelIds.map(nameOf)), cut: true },
      { title: 'ENABLED', value: ({ enabled }) => (enabled ? 'yes' : 'no') },
      { title: 'ID', value: ({ id }) => id, wide: true },
    ],
  },
  get: {
    summary: 'show one alert rule with all its fields',
    examples: ['rules get backups', 'rules get backups -o yaml'],
  },
  create: {
    summary: 'create an alert rule; on a terminal, asks for missing fields',
    examples: [
      'rules create --name Backup --monitor nightly-backup --channel ops',
      'rules create --name Site --monitor shop --channel ops --consecutive-failures 3 --reminder-interval 3600',
    ],
  },
  update: {
    summary: 'change fields of an alert rule; other fields stay unchanged',
    examples: [
      'rules update backups --monitor nightly-backup --monitor shop',
      'rules update backups --no-enabled --unset reminder-interval',
    ],
    such: '--consecutive-failures 3',
  },
  delete: {
    summary: 'delete an alert rule; its open alerts end without a recovery message',
    examples: ['rules delete backups --yes', 'rules delete backups --yes --quiet'],
    printed: ({ id, name }) => ({ id, name }),
  },
} as const satisfies Noun<AlertRule>;

const triggerOf = ({ trigger, consecutiveFailures }: AlertRule): string =>
  consecutiveFailures > 1 ? `${trigger}, ${consecutiveFailures} in a row` : trigger;
