import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Fields } from '../kinds/kind.ts';
import { validateManifests } from '../manifest/validate.ts';
import { type Edit, pullEdits } from '../testing/pull-edits.ts';

const monitors = (...lines: string[]) => `monitors:\n${lines.map((line) => `  ${line}\n`).join('')}`;
const set = (name: string, fields: Fields): Edit => ['monitor', name, fields];
const reason = 'other parts of the file share this value through an anchor; edit it by hand';

describe('a pull does not write an edit of a value that other items share, because it would change these items too:', () => {
  test.each<[string, string, Edit, string]>([
    [
      'a number',
      monitors('- { name: One, type: heartbeat, interval: &i 90 }', '- { name: Job, type: heartbeat, interval: *i }'),
      set('One', { interval: 120 }),
      'm.yaml:2:48: heartbeat "One": `interval`',
    ],
    [
      'a text that was removed',
      monitors(
        '- { name: One, type: heartbeat, description: &d x }',
        '- { name: Job, type: heartbeat, description: *d }',
      ),
      set('One', { description: null }),
      'm.yaml:2:51: heartbeat "One": `description`',
    ],
    [
      'a list',
      monitors('- { name: One, type: heartbeat, regions: &r [eu] }', '- { name: Job, type: heartbeat, regions: *r }'),
      set('One', { regions: ['eu', 'us'] }),
      'm.yaml:2:47: heartbeat "One": `regions`',
    ],
    [
      'an entry of a list',
      monitors(
        '- { name: One, type: heartbeat, regions: [&r eu] }',
        '- { name: Job, type: heartbeat, regions: [*r, us] }',
      ),
      set('One', { regions: ['us'] }),
      'm.yaml:2:44: heartbeat "One": `regions`',
    ],
    [
      'a label',
      monitors('- { name: One, type: heartbeat, labels: &l { a: x } }', '- { name: Job, type: heartbeat, labels: *l }'),
      set('One', { labels: { a: 'y' } }),
      'm.yaml:2:51: heartbeat "One": `labels.a`',
    ],
    [
      'a new label',
      monitors('- { name: One, type: heartbeat, labels: &l { a: x } }', '- { name: Job, type: heartbeat, labels: *l }'),
      set('One', { labels: { a: 'x', b: 'y' } }),
      'm.yaml:2:46: heartbeat "One": `labels.b`',
    ],
    [
      'a field that another item merges',
      monitors('- &a { name: One, type: heartbeat, interval: 90 }', '- { <<: *a, name: Job }'),
      set('One', { interval: 120 }),
      'm.yaml:2:48: heartbeat "One": `interval`',
    ],
    [
      'a new field that another item would merge',
      monitors(
        '- &a { name: One, type: heartbeat }',
        '- &b { name: Two, type: heartbeat }',
        '- { <<: [*a, *b], name: Job }',
      ),
      set('Two', { retries: 2 }),
      'm.yaml:3:8: heartbeat "Two": `retries`',
    ],
    [
      'the members of a rule',
      `${monitors('- { name: One, type: heartbeat }', '- { name: Two, type: heartbeat }')}alertRules:
  - { name: Down, monitors: &m [One], channels: [] }
  - { name: Slow, monitors: *m, channels: [], consecutiveFailures: 3 }
`,
      ['alertRule', 'Down', { monitors: ['One', 'Two'] }],
      'm.yaml:5:32: alert rule "Down": `monitors`',
    ],
  ])('a pull does not write an edit of a shared value: %s', async (_, text, edit, place) => {
    expect(await pullEdits(text, [edit])).toEqual({ after: text, unwritten: [`${place}: ${reason}`] });
  });

  test.each([
    ['a list in an override', '{ regions: &r [eu] }', '{ regions: *r }', 26],
    ['an override as a whole', '&o { regions: [eu] }', '*o', 26],
  ])('a pull does not write an edit of a shared value: %s', async (_, job, one, column) => {
    const text = `overrides:\n  live:\n    monitors:\n      Job: ${job}\n      One: ${one}\n${monitors('- { name: One, type: heartbeat }', '- { name: Job, type: heartbeat }')}`;
    const edit = set('Job', { regions: ['us'] });
    expect(await pullEdits(text, [edit], { environment: 'live' })).toEqual({
      after: text,
      unwritten: [`m.yaml:4:${column}: heartbeat "Job": \`regions\`: ${reason}`],
    });
  });
});

describe('a pull writes an edit into a document with anchors', () => {
  test.each<[string, string, Edit, string]>([
    [
      'in place of an alias, if the item with the alias was edited',
      monitors('- { name: One, type: heartbeat, interval: &i 90 }', '- { name: Job, type: heartbeat, interval: *i }'),
      set('Job', { interval: 120 }),
      monitors('- { name: One, type: heartbeat, interval: &i 90 }', '- { name: Job, type: heartbeat, interval: 120 }'),
    ],
    [
      'if the item that merges the anchor sets the field itself',
      monitors('- &a { name: One, type: heartbeat, interval: 90 }', '- { <<: *a, name: Job, interval: 30 }'),
      set('One', { interval: 120 }),
      monitors('- &a { name: One, type: heartbeat, interval: 120 }', '- { <<: *a, name: Job, interval: 30 }'),
    ],
    [
      'if no alias uses the anchor',
      monitors('- &a { name: One, type: heartbeat, interval: &i 90 }'),
      set('One', { interval: 120 }),
      monitors('- &a { name: One, type: heartbeat, interval: &i 120 }'),
    ],
  ])('a pull writes an edit into a document with anchors %s', async (_, text, edit, after) => {
    expect(await pullEdits(text, [edit])).toEqual({ after, unwritten: [] });
  });
});

const values: Record<string, readonly string[]> = {
  interval: ['90', '120'],
  description: ['a', 'b'],
  regions: ['[eu]', '[eu, us]'],
  labels: ['{ a: x }', '{ b: y, a: z }'],
};
const fields = Object.keys(values);
type Spelling = 'plain' | 'anchor' | 'alias' | 'absent';

/**
 * Returns a manifest of monitors. A field may have an anchor, or be an alias of the same field of an earlier monitor.
 * Some monitors merge the first monitor.
 */
function manifestOf(rows: readonly { spellings: Spelling[]; value: number; merges: boolean }[]): string {
  const anchored = new Set<string>();
  const lines = rows.map(({ spellings, value, merges }, row) => {
    const written = fields.flatMap((field, i) => {
      const text = values[field]![value]!;
      if (spellings[i] === 'absent') return [];
      if (spellings[i] === 'alias' && anchored.has(field)) return [`${field}: *${field}`];
      if (spellings[i] !== 'anchor') return [`${field}: ${text}`];
      const isFirst = !anchored.has(field);
      anchored.add(field);
      return [`${field}: ${isFirst ? `&${field} ` : ''}${text}`];
    });
    const head = row === 0 ? '&first { ' : merges ? '{ <<: *first, ' : '{ ';
    return `- ${head}${[`name: m${row}`, 'type: heartbeat', ...written].join(', ')} }`;
  });
  return monitors(...lines);
}

const valuesIn = (text: string) => {
  const { items, faults } = validateManifests([{ name: 'm.yaml', text }], {}, 0, { environment: null });
  expect(faults).toEqual([]);
  return new Map(items.map(({ value }) => [value.name, value as Fields]));
};

test('in a manifest with any shared values, a pull changes only the monitors that were edited', async () => {
  const row = fc.record({
    spellings: fc.array(fc.constantFrom<Spelling>('plain', 'anchor', 'alias', 'absent'), {
      minLength: 4,
      maxLength: 4,
    }),
    value: fc.nat(1),
    merges: fc.boolean(),
  });
  const edited: Fields = { interval: 77, description: 'edited', regions: ['ap'], labels: { a: 'edited' } };
  let written = 0;
  let leftOut = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(row, { minLength: 2, maxLength: 4 }),
      fc.nat(3),
      fc.constantFrom(...fields),
      async (rows, which, field) => {
        const name = `m${which % rows.length}`;
        const text = manifestOf(rows);
        const before = valuesIn(text);
        const { after, unwritten } = await pullEdits(text, [set(name, { [field]: edited[field] })]);
        const now = valuesIn(after);
        for (const [other, value] of before)
          if (other !== name) expect([other, now.get(other)]).toEqual([other, value]);
        if (unwritten.length === 0) {
          written++;
          expect(now.get(name)?.[field]).toMatchObject(edited[field] as Fields);
        } else {
          leftOut++;
          expect(after).toBe(text);
        }
      },
    ),
    { numRuns: 150 },
  );
  expect(Math.min(written, leftOut)).toBeGreaterThan(10);
});
