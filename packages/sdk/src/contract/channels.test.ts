import { describe, expect, test } from 'vitest';
import {
  channelConfirmation,
  channelDestinations,
  channelInput,
  channelMaps,
  channelPatch,
  channelTypes,
  validate,
  validateChannel,
} from './index.ts';

const faultsOf = (result: ReturnType<typeof validate> | ReturnType<typeof validateChannel>) =>
  result.ok ? [] : result.faults.map(({ path, code }) => `${path} ${code}`);

describe('the fields that all channels have', () => {
  const base = { type: 'email', name: 'Team mail', config: { address: 'ops@example.com' } };

  test.each([
    ['a key', { key: 'team-mail' }, []],
    ['the name of a manifest', { managedBy: 'shop/ops' }, []],
    ['a key in capitals', { key: 'Team' }, ['key bad_format']],
    ['a manifest name with a blank', { managedBy: 'shop ops' }, ['managedBy bad_format']],
    ['no name', { name: undefined }, ['name required']],
    ['a name of 201 characters', { name: 'x'.repeat(201) }, ['name bad_format']],
    ['no config', { config: undefined }, ['config required']],
    ['a list as config', { config: [] }, ['config wrong_type']],
    ['configDigest, which only responses have', { configDigest: 'x' }, ['configDigest unknown_field']],
    [
      'state fields, which only responses have',
      { confirmedAt: null, lastError: null },
      ['confirmedAt unknown_field', 'lastError unknown_field'],
    ],
  ])('a channel with %s (%j) has the faults %j', (_, change, faults) => {
    expect(faultsOf(validateChannel({ ...base, ...change }))).toEqual(faults);
  });

  test('the type of a channel is never guessed from its config', () => {
    expect(faultsOf(validate(channelInput, { ...base, type: 'slack' }))).toEqual([
      'config.webhookUrl required',
      'config.address unknown_field',
    ]);
    expect(faultsOf(validate(channelInput, { ...base, type: undefined }))).toEqual(['type not_a_choice']);
  });
});

describe('a change of a channel', () => {
  test.each([
    [{}, []],
    [{ name: 'New name' }, []],
    [{ key: null, managedBy: null }, []],
    [{ type: 'slack', config: { webhookUrl: 'https://h/' } }, []],
    // Only the server can validate this: it merges the change into the stored config, and validates the result.
    [{ config: { anything: null } }, []],
    [{ name: null }, ['name wrong_type']],
    [{ type: 'pigeon' }, ['type not_a_choice']],
    [{ type: null }, ['type not_a_choice']],
    [{ config: null }, ['config wrong_type']],
    [{ nmae: 'x' }, ['nmae unknown_field']],
    [{ id: 'chn_1' }, ['id unknown_field']],
  ])('the change %j of a channel has the faults %j', (patch, faults) =>
    expect(faultsOf(validate(channelPatch, patch))).toEqual(faults),
  );
});

describe('a confirmation', () => {
  test.each([
    [{ code: '000000' }, []],
    [{}, []],
    [{ code: '12345' }, ['code bad_format']],
    [{ code: '1234567' }, ['code bad_format']],
    [{ code: '12345a' }, ['code bad_format']],
    [{ code: '１２３４５６' }, ['code bad_format']],
    [{ code: 123_456 }, ['code wrong_type']],
    [{ code: null }, ['code wrong_type']],
  ])('the confirmation %j of a channel has the faults %j', (input, faults) =>
    expect(faultsOf(validate(channelConfirmation, input))).toEqual(faults),
  );
});

test('there are at least fourteen types of channels, and the error for an unknown type lists all of them', () => {
  expect(channelTypes.length).toBeGreaterThanOrEqual(14);
  const parsed = validateChannel({ type: 'Slack', name: 'n', config: {} });
  expect(parsed.ok ? [] : parsed.faults[0]).toMatchObject({ code: 'not_a_choice', params: { choices: channelTypes } });
});

test('only the field headers holds a map, and only the fields in this test are destinations of secrets', () => {
  expect(channelMaps).toEqual(['headers']);
  const found = Object.entries(channelDestinations).filter(([, fields]) => fields.length > 0);
  // The list is written by hand, so that no definition loses its destinations by mistake.
  const advice =
    'a secret address belongs to `secrets`; if `destinations` of a definition is right, enter it in this list in channels.test.ts';
  expect(found, advice).toEqual([
    ['opsgenie', ['region']],
    ['webhook', ['url']],
    ['ntfy', ['serverUrl']],
    ['matrix', ['homeserverUrl']],
  ]);
});
