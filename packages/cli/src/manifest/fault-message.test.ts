import { describe, expect, test } from 'vitest';
import { monitorTypeDefinitions, monitorTypes } from '@uptime/sdk/contract';
import { kinds } from '../kinds/index.ts';
import type { Fields, Kind } from '../kinds/kind.ts';
import { faultMessage } from './fault-message.ts';

/**
 * Validates an item, and returns a sentence about each fault. A sentence may show the value at the path of its fault.
 */
function messagesOf(given: Fields, kind: Kind = kinds.monitor): string[] {
  const checked = kind.validate(given);
  if (checked.ok) return [];
  return checked.faults.map((fault) => {
    const found = fault.path.split('.').reduce<unknown>((value, step) => (value as Fields | undefined)?.[step], given);
    return faultMessage(fault, found, given, kind);
  });
}
const shop = { type: 'http', name: 'Shop', url: 'https://shop.example.com/' };
const ops = { type: 'email', name: 'Ops', config: { address: 'ops@example.com' } };

describe('the sentence about a value of the wrong type says how to write the value', () => {
  test.each<[Fields, string]>([
    [{ interval: '60' }, '`interval` must be a whole number from 1 to 86400; found "60"; write it without quotes'],
    [{ interval: '5m' }, '`interval` must be a whole number from 1 to 86400; found "5m"; in seconds that is 300'],
    [{ interval: '2 h' }, '`interval` must be a whole number from 1 to 86400; found "2 h"; in seconds that is 7200'],
    [{ interval: '1D' }, '`interval` must be a whole number from 1 to 86400; found "1D"; in seconds that is 86400'],
    [{ interval: 'often' }, '`interval` must be a whole number from 1 to 86400; found "often"'],
    [{ interval: true }, '`interval` must be a whole number from 1 to 86400; found true'],
    [{ paused: 'yes' }, '`paused` must be true or false; found "yes"; write true'],
    [{ paused: 'Off' }, '`paused` must be true or false; found "Off"; write false'],
    [{ paused: 'maybe' }, '`paused` must be true or false; found "maybe"'],
    [{ name: 5 }, '`name` must be text; found 5; write it in quotes: "5"'],
    [{ name: null }, '`name` must be text; found nothing'],
    [{ labels: { tier: 1 } }, '`labels.tier` must be text; found 1; write it in quotes: "1"'],
    [{ regions: 'eu' }, '`regions` must be a list; found "eu"'],
    [{ labels: [] }, '`labels` must be a map'],
  ])('the sentence about the values %j is: %s', (change, sentence) =>
    expect(messagesOf({ ...shop, ...change })).toEqual([sentence]),
  );
});

describe('the sentence about a value that is not one of the choices', () => {
  test.each<[Fields, string]>([
    [{ method: 'PSOT' }, 'found "PSOT"; did you mean `POST`?'],
    [{ method: 'get' }, 'found "get"; did you mean `GET`?'],
    [{ method: 'SUBSCRIBE' }, 'found "SUBSCRIBE"'],
    [{ type: 'htpp' }, 'found "htpp"; did you mean `http`?'],
  ])('the sentence suggests the nearest choice for %j', (change, words) => {
    expect(messagesOf({ ...shop, ...change })[0]).toMatch(new RegExp(`; ${words.replace('?', '\\?')}$`));
  });
});

describe('the sentence about a missing field', () => {
  test.each<[Fields, Kind, string]>([
    [{ type: 'http', name: 'Shop' }, kinds.monitor, '`url` is required for type http'],
    [{ type: 'http', url: shop.url }, kinds.monitor, '`name` is required'],
    [{ type: 'email', name: 'Ops' }, kinds.channel, '`config` is required for type email'],
    [{ name: 'Down', channels: [] }, kinds.alertRule, '`monitors` is required'],
    [
      { type: 'tcp', name: 'Db', host: 'db' },
      kinds.monitor,
      '`port` is required for type tcp: it must be a whole number from 1 to 65535',
    ],
  ])(
    'the sentence about the incomplete item %j names the missing field and the type that needs it',
    (given, kind, sentence) => {
      expect(messagesOf(given, kind)).toContain(sentence);
    },
  );
});

/** The types of monitor with a host. The list is computed, so that the test stays right when a new type has a host. */
const typesWithHost = monitorTypes.filter((type) => 'host' in monitorTypeDefinitions[type].fields).join(', ');

describe('the sentence about an unknown field', () => {
  test.each<[Fields, Kind, string]>([
    [{ ...shop, nmae: 'x' }, kinds.monitor, '`nmae` is an unknown field; did you mean `name`?'],
    [
      { ...shop, gracePeriod: 9 },
      kinds.monitor,
      '`gracePeriod` is an unknown field: type http does not have it; heartbeat does',
    ],
    [
      { ...shop, host: 'a' },
      kinds.monitor,
      `\`host\` is an unknown field: type http does not have it; ${typesWithHost} do`,
    ],
    [{ ...shop, zzzzzzzz: 1 }, kinds.monitor, '`zzzzzzzz` is an unknown field of type http'],
    [{ ...ops, zzzzzzzz: 1 }, kinds.channel, '`zzzzzzzz` is an unknown field of type email'],
  ])('the sentence about an unknown field says where the field belongs (case %#)', (given, kind, sentence) => {
    expect(messagesOf(given, kind)).toEqual([sentence]);
  });
});

test('a sentence never shows the secrets in an address, and never shows a long value in full', () => {
  expect(messagesOf({ ...shop, url: 'ftp://ada:hush@h/' })[0]).not.toContain('hush');
  expect(messagesOf({ ...shop, name: 'x'.repeat(201) })).toEqual([
    '`name` must be 1 to 200 visible characters on one line',
  ]);
});

test('the sentence about a faulty name of an entry does not show the value of the entry', () => {
  expect(messagesOf({ ...shop, headers: { 'a b': 'hush' } })).toEqual([
    '`headers.a b` must be a header name that HTTP allows',
  ]);
  expect(messagesOf({ ...shop, headers: { te: 'hush' } })[0]).not.toContain('hush');
});

test('the sentence about an item that is not a map names the kind of the item', () => {
  const checked = kinds.channel.validate('x');
  expect(checked.ok ? [] : checked.faults.map((fault) => faultMessage(fault, 'x', {}, kinds.channel))).toEqual([
    'this channel must be a map; found "x"',
  ]);
});
