import { describe, expect, test } from 'vitest';
import { channelTypeDefinitions, type ChannelType, validateChannel } from '../index.ts';

/** The faults of a channel with this config, as `path code`. */
const faultsOf = (type: ChannelType, config: object) => {
  const parsed = validateChannel({ type, name: 'On call', config });
  return parsed.ok ? [] : parsed.faults.map(({ path, code }) => `${path} ${code}`);
};

/** The keys and tokens in this test, each with the other fields that its config needs. */
const keys: [ChannelType, string, object][] = [
  ['pagerduty', 'integrationKey', {}],
  ['opsgenie', 'apiKey', {}],
  ['pushover', 'userKey', { appToken: 'a' }],
  ['pushover', 'appToken', { userKey: 'u' }],
];

describe.each(keys)('%s: the field %s', (type, field, others) => {
  test.each(['k', 'x'.repeat(2000), '!#$%&()*+,-./:;<=>?@[]^_`{|}~"\'\\'])('the key may be %s', (key) => {
    expect(faultsOf(type, { ...others, [field]: key })).toEqual([]);
  });

  test.each([
    ['', 'bad_format'],
    ['a b', 'bad_format'],
    [' key', 'bad_format'],
    ['key\n', 'bad_format'],
    ['a\u007fb', 'bad_format'],
    ['ключ', 'bad_format'],
    ['x'.repeat(2001), 'bad_format'],
    [5, 'wrong_type'],
    [null, 'wrong_type'],
    [undefined, 'required'],
  ])('the key may not be %j', (key, code) => {
    expect(faultsOf(type, { ...others, [field]: key })).toEqual([`config.${field} ${code}`]);
  });

  test('the key is masked when it is read', () => expect(channelTypeDefinitions[type].secrets).toContain(field));
});

describe('the region of an Opsgenie account', () => {
  test.each(['us', 'eu'])('the region of an Opsgenie account may be %s', (region) =>
    expect(faultsOf('opsgenie', { apiKey: 'k', region })).toEqual([]),
  );

  test.each(['EU', 'de', '', null])('the region of an Opsgenie account may not be %j', (region) => {
    expect(faultsOf('opsgenie', { apiKey: 'k', region })).toEqual(['config.region not_a_choice']);
  });

  test('the region of an Opsgenie account is us by default, and a change of the region requires the API key again', () => {
    expect(validateChannel({ type: 'opsgenie', name: 'n', config: { apiKey: 'k' } })).toMatchObject({
      value: { config: { region: 'us' } },
    });
    expect(channelTypeDefinitions.opsgenie.destinations).toEqual(['region']);
  });
});
