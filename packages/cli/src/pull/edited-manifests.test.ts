import { describe, expect, test } from 'vitest';
import type { Fields } from '../kinds/kind.ts';
import { type Edit, pullEdits } from '../testing/pull-edits.ts';

const monitors = (...lines: string[]) => `monitors:\n${lines.map((line) => `  ${line}\n`).join('')}`;
const set = (fields: Fields, name = 'Job'): Edit => ['monitor', name, fields];

describe('a pull writes an edit into the item', () => {
  test.each<[string, string, Edit[], string]>([
    [
      'in place of the value',
      monitors('- name: Job # a', '  type: heartbeat', '  interval: 90 # b'),
      [set({ interval: 120 })],
      monitors('- name: Job # a', '  type: heartbeat', '  interval: 120 # b'),
    ],
    [
      'as a new field',
      monitors('- name: Job', '  type: heartbeat'),
      [set({ interval: 120 })],
      monitors('- name: Job', '  type: heartbeat', '  interval: 120'),
    ],
    [
      'if the item is written on one line',
      monitors('- { name: Job, type: heartbeat }'),
      [set({ interval: 120 })],
      monitors('- { name: Job, type: heartbeat, interval: 120 }'),
    ],
    [
      'in the same quotes as the old value',
      monitors('- name: Job', '  type: heartbeat', "  description: 'x'"),
      [set({ description: 'y' })],
      monitors('- name: Job', '  type: heartbeat', "  description: 'y'"),
    ],
    [
      'with dollar signs doubled',
      monitors('- { name: Job, type: heartbeat, description: x }'),
      [set({ description: '${A} $$ $5' })],
      monitors('- { name: Job, type: heartbeat, description: "$${A} $$$$ $$5" }'),
    ],
    [
      'in quotes, if a text looks like a number',
      monitors('- { name: Job, type: heartbeat, description: x }'),
      [set({ description: '12' })],
      monitors('- { name: Job, type: heartbeat, description: "12" }'),
    ],
    [
      'as a new label',
      monitors('- name: Job', '  type: heartbeat', '  labels: { a: x } # b'),
      [set({ labels: { 'c.d': 'y' } })],
      monitors('- name: Job', '  type: heartbeat', '  labels: { a: x, c.d: y } # b'),
    ],
    [
      'by removing a label that was removed on the server',
      monitors('- name: Job', '  type: heartbeat', '  labels:', '    a: x', '    b: y # why'),
      [set({ labels: { a: null } })],
      monitors('- name: Job', '  type: heartbeat', '  labels:', '    b: y # why'),
    ],
    [
      "with the field's default value, if the server reset the field",
      monitors('- name: Job', '  type: heartbeat', '  interval: 90', '  retries: 2'),
      [set({ interval: null })],
      monitors('- name: Job', '  type: heartbeat', '  interval: 60', '  retries: 2'),
    ],
    [
      'by removing a field whose text was removed on the server',
      monitors('- name: Job', '  type: heartbeat', '  description: x', '  retries: 2'),
      [set({ description: null })],
      monitors('- name: Job', '  type: heartbeat', '  retries: 2'),
    ],
    [
      'as a list',
      monitors('- name: Job', '  type: heartbeat', '  regions: [eu] # here'),
      [set({ regions: ['eu', 'us'] })],
      monitors('- name: Job', '  type: heartbeat', '  regions: [ eu, us ] # here'),
    ],
  ])('a pull writes an edit into the item %s', async (_, text, edits, after) => {
    expect(await pullEdits(text, edits)).toEqual({ after, unwritten: [] });
  });

  test('a pull writes an edit into the item if the value comes from a merged anchor, and does not change the anchor', async () => {
    const text = monitors('- &a { name: One, type: heartbeat, interval: 90 }', '- { <<: *a, name: Job }');
    const after = monitors(
      '- &a { name: One, type: heartbeat, interval: 90 }',
      '- { <<: *a, name: Job, interval: 120 }',
    );
    expect(await pullEdits(text, [set({ interval: 120 })])).toEqual({ after, unwritten: [] });
  });

  test('a pull writes an edit into the item as null, if a default would otherwise apply', async () => {
    const text = `defaults: { monitors: { description: all } }\n${monitors('- { name: Job, type: heartbeat }')}`;
    const { after } = await pullEdits(text, [set({ description: null })]);
    expect(after).toContain('{ name: Job, type: heartbeat, description: null }');
  });

  test.each(['*a', '[ *a ]', '*b', '*list'])(
    'a pull writes an edit into the item as null, if a field that is merged by << from %s would otherwise apply',
    async (merged) => {
      const text = monitors(
        '- &a { name: One, type: heartbeat, description: all, labels: { a: x } }',
        '- &b { <<: *a, name: Two }',
        '- { <<: &list [ *a ], name: Three }',
        `- { <<: ${merged}, name: Job, description: own, retries: 2 }`,
      );
      const { after, unwritten } = await pullEdits(text, [set({ description: null, retries: null })]);
      expect(unwritten).toEqual([]);
      expect(after).toContain(`{ <<: ${merged}, name: Job, description: null, retries: 0 }`);
    },
  );

  test('a pull removes a label of an item, unless a map that is merged into the labels has the same label', async () => {
    const text = monitors(
      '- { name: One, type: heartbeat, labels: &l { a: x } }',
      '- { name: Job, type: heartbeat, labels: { <<: *l, a: y, b: z } }',
    );
    expect(await pullEdits(text, [set({ labels: { b: null } })])).toEqual({
      after: text.replace(', b: z', ''),
      unwritten: [],
    });
    expect(await pullEdits(text, [set({ labels: { a: null } })])).toEqual({
      after: text,
      unwritten: [expect.stringContaining('`labels.a`: a map that is merged into this one has the same entry')],
    });
  });

  test('if an override gives the value, a pull writes the edit into that override', async () => {
    const text = `overrides:\n  live:\n    monitors:\n      Job: { interval: 10 } # fast\n${monitors('- { name: Job, type: heartbeat }')}`;
    const { after, unwritten } = await pullEdits(text, [set({ interval: 120 })], { environment: 'live' });
    expect({ after, unwritten }).toEqual({ after: text.replace('10', '120'), unwritten: [] });
  });
});

describe('the names in references', () => {
  const mail = 'channels:\n  - { name: Ops, type: email, config: { address: a@example.com } }\n';
  const rules = (list: string) => `alertRules:\n  - { name: Down, monitors: ${list}, channels: [ Ops ] }\n`;
  const two = monitors('- { name: One, type: heartbeat }', '- { name: Two, key: two, type: heartbeat }');

  test('the name of a renamed monitor changes in rules and overrides', async () => {
    const overrides = 'overrides:\n  live: { monitors: { One: { interval: 10 } } }\n';
    const { after, unwritten } = await pullEdits(
      `${overrides}${monitors('- { name: One, key: one, type: heartbeat }')}${mail}${rules('[ One ]')}`,
      [set({ name: 'New' }, 'One')],
      { environment: 'live' },
    );
    expect(unwritten).toEqual([]);
    expect(after).toContain('monitors: { one: { interval: 10 } }');
    expect(after).toContain(rules('[ one ]'));
  });

  test('the names in a list keep their positions and comments if a name is added at the end', async () => {
    const text = `${two}${mail}alertRules:\n  - name: Down\n    monitors:\n      # first\n      - two # here\n    channels: [ Ops ]\n`;
    const { after, unwritten } = await pullEdits(text, [['alertRule', 'Down', { monitors: ['One', 'Two'] }]]);
    expect({ after, unwritten }).toEqual({
      after: text.replace('- two # here\n', '- two # here\n      - One\n'),
      unwritten: [],
    });
  });

  test('the monitors of a page get the same order as on the server', async () => {
    const text = `${two}statusPages:\n  - { name: P, slug: p, monitors: [ One, two ] } # why\n`;
    const { after } = await pullEdits(text, [['statusPage', 'P', { monitors: ['Two', 'One'] }]]);
    expect(after).toBe(text.replace('[ One, two ]', '[ two, One ]'));
  });

  test('the comments of removed names stay in the list', async () => {
    const text = `${two}${mail}alertRules:\n  - name: Down\n    monitors:\n      - One # keep me\n      - two\n    channels: [ Ops ]\n`;
    const { after } = await pullEdits(text, [['alertRule', 'Down', { monitors: ['Two'] }]]);
    expect(after).not.toContain('- One');
    expect(after).toContain('# keep me');
  });
});

describe('an item', () => {
  test('an item that the server lacks is removed, and its comments stay above the next item', async () => {
    const text = monitors(
      '# about the job',
      '- { name: Job, type: heartbeat } # weekly',
      '# about the other',
      '- { name: Other, type: heartbeat }',
    );
    const { after, unwritten } = await pullEdits(text, [['monitor', 'Job', null]]);
    expect(unwritten).toEqual([]);
    expect(after).not.toContain('name: Job');
    for (const comment of ['# about the job', '# weekly', '# about the other']) expect(after).toContain(comment);
  });

  test('an item is removed together with its overrides', async () => {
    const text = `overrides:\n  live: { monitors: { Job: { interval: 10 }, Other: { interval: 20 } } }\n${monitors('- { name: Job, type: heartbeat }', '- { name: Other, type: heartbeat }')}`;
    const { after } = await pullEdits(text, [['monitor', 'Job', null]], { environment: 'live' });
    expect(after).not.toContain('Job');
    expect(after).toContain('live: { monitors: { Other: { interval: 20 } } }');
  });

  test('an item for a resource that only the server has is added in the style of the list, and sets only fields that differ from the defaults', async () => {
    const text = `defaults: { monitors: { interval: 30, retries: 1 } }\n${monitors('- { name: Job, type: heartbeat }')}`;
    const made: Edit = ['monitor', null, { type: 'tcp', name: 'DB', host: 'db.example', port: 5432, retries: 1 }];
    const { after } = await pullEdits(text, [made]);
    expect(after).toBe(`${text}  - name: DB\n    type: tcp\n    host: db.example\n    port: 5432\n    interval: 60\n`);
  });

  test('an item for a new resource is added to an empty list only if no other list of its kind has items', async () => {
    const made: Edit = ['monitor', null, { type: 'heartbeat', name: 'New' }];
    expect((await pullEdits('monitors: [] # none yet\n', [made])).after).toBe(
      'monitors:\n  # none yet\n  - name: New\n    type: heartbeat\n',
    );
    const parts = `monitors: []\n---\n${monitors('- { name: Job, type: heartbeat }')}`;
    expect((await pullEdits(parts, [made])).after).toBe(`${parts}  - name: New\n    type: heartbeat\n`);
  });
});
