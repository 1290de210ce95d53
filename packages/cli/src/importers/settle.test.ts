import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Fields } from '../kinds/kind.ts';
import { createCollection } from './collection.ts';
import { envReference } from './env-reference.ts';
import { settle } from './settle.ts';

const http = { type: 'http', name: 'Shop', url: 'https://shop.example.com' };
const slack = { type: 'slack', name: 'Ops', config: { webhookUrl: 'https://hooks.example.com/services/abcdefgh' } };

/** Settles one monitor. */
function settled(fields: Fields) {
  const collection = createCollection();
  collection.add('monitors', 'Shop', fields);
  const [item] = settle(collection);
  return { fields: item?.fields, notes: collection.notes.map(({ level, text }) => `${level}: ${text}`) };
}

test('an invalid field is left out, and a note says what was expected', () => {
  expect(settled({ ...http, timeout: 0, labels: { '': 'x' } })).toEqual({
    fields: { key: 'shop', ...http },
    notes: [
      'lost: timeout: `timeout` must be a whole number from 1 to 120',
      'lost: labels: `labels.` must be 1 to 63 visible characters on one line',
    ],
  });
});

test('if an invalid field decides what the monitor means, the whole monitor is left out', () => {
  expect(settled({ ...http, url: 'shop' })).toEqual({
    fields: undefined,
    notes: ['lost: the whole monitor: `url` must be a full http:// or https:// address'],
  });
  expect(settled({ type: 'http', name: 'Shop' })).toEqual({
    fields: undefined,
    notes: ['lost: the whole monitor: `url` is required'],
  });
});

test.each([
  ['is a whole address', envReference('SHOP')],
  ['is the host of an address', `https://${envReference('HOST')}/health`],
  ['is a part of the path', `https://shop.example.com/${envReference('PATH')}`],
])('a reference to an environment variable is valid if it %s', (_, url) => {
  expect(settled({ ...http, url })).toEqual({ fields: { key: 'shop', ...http, url }, notes: [] });
});

test('a rule does not refer to a monitor that was left out, and without any monitor the rule is left out too', () => {
  const collection = createCollection();
  const good = collection.add('monitors', 'Shop', http);
  const bad = collection.add('monitors', 'Bank', { ...http, name: 'Bank', url: 'bank' });
  const channel = collection.add('channels', 'Ops', slack);
  const rule = (name: string, monitors: string[]) =>
    collection.add('alertRules', name, { name, trigger: 'monitor_down', monitors, channels: [channel] });
  rule('Both', [good, bad]);
  rule('One', [bad]);
  const rules = settle(collection).filter(({ list }) => list === 'alertRules');
  expect(rules.map(({ fields }) => [fields['name'], fields['monitors']])).toEqual([['Both', [good]]]);
  expect(collection.notes).toContainEqual({
    level: 'lost',
    about: 'One',
    text: 'the rule: none of its monitors could be carried over',
  });
});

const mixed = (...values: unknown[]) => fc.constantFrom(...values);
const monitor = fc.record(
  {
    type: mixed('http', 'tcp', 'heartbeat', 'smtp'),
    name: mixed('Shop', '', 'a\nb', 5),
    url: mixed('https://shop.example.com', 'shop', 'ftp://shop.example.com', null),
    host: mixed('db.example.com', 'a b', 1),
    port: mixed(5432, 0, '5432'),
    interval: mixed(60, 0, 'often'),
    timeout: mixed(5, -1, 9999),
    labels: mixed({ team: 'web' }, ['web'], { '': '' }),
    foreign: mixed(true),
  },
  { requiredKeys: ['type', 'name'] },
);

test('every settled item is valid, and a note names everything that was left out', () => {
  fc.assert(
    fc.property(fc.array(monitor, { maxLength: 6 }), (drafts) => {
      const collection = createCollection();
      drafts.forEach((fields, n) => collection.add('monitors', `item ${n}`, fields));
      const items = settle(collection);
      for (const { kind, fields } of items) expect(kind.validate(fields)).toMatchObject({ ok: true });
      for (const draft of collection.drafts) {
        const item = items.find(({ about }) => about === draft.about);
        const lost = Object.keys(draft.fields).filter((field) => !item || !(field in item.fields));
        const notes = collection.notes.filter(({ about }) => about === draft.about);
        if (item) expect(notes.map(({ text }) => text.split(':')[0])).toEqual(expect.arrayContaining(lost));
        else expect(notes.map(({ text }) => text)).toContainEqual(expect.stringMatching(/^the whole monitor: /));
      }
    }),
  );
});
