import { describe, expect, test } from 'vitest';
import { channelTypeDefinitions, channelTypes, type ChannelType, validateChannel } from '../index.ts';

/** The services that give out one secret address for each room: the types whose config has only this address. */
const services = channelTypes.filter((type) => {
  const { config } = channelTypeDefinitions[type];
  return Object.keys(config.shape).join() === 'webhookUrl';
});

/** The faults of a channel with this config, as `path code`. */
const faultsOf = (type: ChannelType, config: object) => {
  const parsed = validateChannel({ type, name: 'Team chat', config });
  return parsed.ok ? [] : parsed.faults.map(({ path, code }) => `${path} ${code}`);
};

describe.each(services)('the address of a %s room', (type) => {
  test.each([
    'https://hooks.example.com/services/T0/B0/x',
    'https://hooks.example.com/x?thread_id=1&token=a%2Fb',
    'http://127.0.0.1:8080/hook',
  ])('the address of a room may be %s', (webhookUrl) => expect(faultsOf(type, { webhookUrl })).toEqual([]));

  test.each([
    ['', 'bad_format'],
    ['hooks.example.com/services', 'bad_format'],
    ['ftp://hooks.example.com/', 'bad_format'],
    ['https://hooks.example.com/a b', 'bad_format'],
    [`https://hooks.example.com/${'x'.repeat(2048)}`, 'too_big'],
    ['https://hooks..example.com/', 'bad_address_host'],
    ['https://hooks.example.com:0/', 'bad_address_port'],
    [null, 'wrong_type'],
    [undefined, 'required'],
  ])('the address of a room may not be %s', (webhookUrl, code) => {
    expect(faultsOf(type, { webhookUrl })).toEqual([`config.webhookUrl ${code}`]);
  });

  test('the address of a room is the only field of the config, and a secret', () => {
    expect(faultsOf(type, { webhookUrl: 'https://h/', channel: '#ops' })).toEqual(['config.channel unknown_field']);
    expect(channelTypeDefinitions[type].secrets).toEqual(['webhookUrl']);
  });
});

test('the error for the mistyped field webhookURL suggests webhookUrl', () => {
  const parsed = validateChannel({ type: 'slack', name: 'n', config: { webhookURL: 'https://h/' } });
  expect(parsed.ok ? [] : parsed.faults.map(({ message }) => message)).toEqual([
    'is required',
    'unknown field; did you mean `webhookUrl`?',
  ]);
});
