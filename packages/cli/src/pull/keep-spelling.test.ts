import { describe, expect, test } from 'vitest';
import { type Edit, pullEdits } from '../testing/pull-edits.ts';

/** The text of a manifest with unusual spaces, which no formatter would write. */
const text = `---
# The shop,

#    and its jobs
defaults:
    monitors:   {labels: {team: shop}}   # aligned

monitors:
    -   key: shop          # a
        name:   'Shop'
        type: http
        url: "https://shop.example.com"
        expectedStatus: [200,204]
        description: >
            folded text
            goes on


            here
        labels:
              tier: "1"


              a.b: !!str 2

    # b
    - {key: job,type: heartbeat,   name: Job}   # c
    -   key: backup
        type:   heartbeat
        name: Backup
...
`;

const set = (name: string, fields: Record<string, unknown>): Edit => ['monitor', name, fields];
const replaced = (of: string, from: string, to: string): string => {
  expect(of.split(from)).toHaveLength(2);
  return of.replace(from, () => to);
};

describe('a pull leaves every line without an edit unchanged', () => {
  test.each<[string, Edit[], string, string]>([
    ['after a new value', [set('Shop', { name: 'Store' })], "name:   'Shop'", "name: 'Store'"],
    [
      'after an edit within one line',
      [set('Job', { interval: 90 })],
      '{key: job,type: heartbeat,   name: Job}   # c',
      '{ key: job, type: heartbeat, name: Job, interval: 90 } # c',
    ],
    [
      'after a new field',
      [set('Backup', { interval: 90 })],
      '        name: Backup\n',
      '        name: Backup\n        interval: 90\n',
    ],
    [
      'after a new label',
      [set('Shop', { labels: { x: 'y' } })],
      '\n\n              a.b: !!str 2\n',
      '\n              a.b: !!str "2"\n              x: y\n',
    ],
    [
      'after a removed field',
      [set('Shop', { expectedStatus: null })],
      '        expectedStatus: [200,204]\n',
      '        expectedStatus: 200-299\n',
    ],
    [
      'after a removed item',
      [['monitor', 'Backup', null]],
      '    -   key: backup\n        type:   heartbeat\n        name: Backup\n',
      '',
    ],
    [
      'after a new item',
      [['monitor', null, { type: 'heartbeat', name: 'New', key: 'new' }]],
      '        name: Backup\n',
      '        name: Backup\n    - key: new\n      name: New\n      type: heartbeat\n      labels:\n        team: null\n',
    ],
  ])('a pull leaves every line without an edit unchanged %s', async (_, edits, from, to) => {
    expect((await pullEdits(text, edits)).after).toBe(replaced(text, from, to));
  });

  test('a pull leaves every line without an edit unchanged in a file with the line ends and the byte order mark of Windows', async () => {
    const windows = (some: string) => `\uFEFF${some.replaceAll('\n', '\r\n')}`;
    const { after } = await pullEdits(windows(text), [set('Backup', { interval: 90, retries: 2 })]);
    const added = '        name: Backup\n        interval: 90\n        retries: 2\n';
    expect(after).toBe(windows(replaced(text, '        name: Backup\n', added)));
    const small = '# a\n\nmonitors:\n- {name: Job, type: heartbeat} # b\n- {name: Two, type: heartbeat} # c\n';
    expect((await pullEdits(windows(small), [set('Job', { retries: 1 })])).after).toBe(
      windows(replaced(small, '{name: Job, type: heartbeat}', '{ name: Job, type: heartbeat, retries: 1 }')),
    );
  });

  test('a pull leaves every line without an edit unchanged in a file without a line break at its end', async () => {
    const bare = 'monitors:\n- {name: Job, type: heartbeat}\n- {name: Two, type: heartbeat}';
    expect((await pullEdits(bare, [set('Job', { retries: 1 })])).after).toBe(
      'monitors:\n- { name: Job, type: heartbeat, retries: 1 }\n- {name: Two, type: heartbeat}',
    );
  });
});
