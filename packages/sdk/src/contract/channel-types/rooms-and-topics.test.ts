import { describe, expect, test } from 'vitest';
import { channelTypeDefinitions, type ChannelType, validateChannel } from '../index.ts';

/** The faults of a channel with this config, as `path code`. */
const faultsOf = (type: ChannelType, config: object) => {
  const parsed = validateChannel({ type, name: 'Ops', config });
  return parsed.ok ? [] : parsed.faults.map(({ path, code }) => `${path} ${code}`);
};

describe('telegram', () => {
  const config = { botToken: '123:abc', chatId: '-1001234567890' };

  test.each([[{}], [{ chatId: '@ops_channel' }], [{ chatId: 'x'.repeat(200) }], [{ botToken: 'x'.repeat(2000) }]])(
    'a Telegram channel accepts %j',
    (change) => expect(faultsOf('telegram', { ...config, ...change })).toEqual([]),
  );

  test.each([
    [{ chatId: '' }, 'config.chatId bad_format'],
    [{ chatId: -1_001_234_567_890 }, 'config.chatId wrong_type'],
    [{ chatId: 'x'.repeat(201) }, 'config.chatId bad_format'],
    [{ chatId: undefined }, 'config.chatId required'],
    [{ botToken: '' }, 'config.botToken bad_format'],
    [{ botToken: '123: abc' }, 'config.botToken bad_format'],
    [{ botToken: undefined }, 'config.botToken required'],
    [{ token: 'x' }, 'config.token unknown_field'],
  ])('a Telegram channel refuses %j', (change, fault) =>
    expect(faultsOf('telegram', { ...config, ...change })).toEqual([fault]),
  );
});

describe('matrix', () => {
  const config = { homeserverUrl: 'https://matrix.example.com', roomId: '!abc:example.com', accessToken: 'syt_x' };

  test.each([[{}], [{ homeserverUrl: 'http://127.0.0.1:8008/base' }], [{ roomId: '!'.repeat(255) }]])(
    'a Matrix channel accepts %j',
    (change) => expect(faultsOf('matrix', { ...config, ...change })).toEqual([]),
  );

  test.each([
    [{ homeserverUrl: 'matrix.example.com' }, 'config.homeserverUrl bad_format'],
    [{ homeserverUrl: 'https://matrix..example.com' }, 'config.homeserverUrl bad_address_host'],
    [{ homeserverUrl: undefined }, 'config.homeserverUrl required'],
    [{ roomId: '' }, 'config.roomId bad_format'],
    [{ roomId: 'x'.repeat(256) }, 'config.roomId bad_format'],
    [{ roomId: undefined }, 'config.roomId required'],
    [{ accessToken: 'a\tb' }, 'config.accessToken bad_format'],
    [{ accessToken: null }, 'config.accessToken wrong_type'],
  ])('a Matrix channel refuses %j', (change, fault) =>
    expect(faultsOf('matrix', { ...config, ...change })).toEqual([fault]),
  );

  test('a change of the homeserver requires the token of a Matrix channel again', () => {
    expect(channelTypeDefinitions.matrix).toMatchObject({ secrets: ['accessToken'], destinations: ['homeserverUrl'] });
  });
});

describe('ntfy', () => {
  test('an ntfy channel publishes to ntfy.sh by default', () => {
    expect(validateChannel({ type: 'ntfy', name: 'Phone', config: { topic: 't' } })).toMatchObject({
      ok: true,
      value: { config: { topic: 't', serverUrl: 'https://ntfy.sh' } },
    });
  });

  test.each([
    [{ topic: 'x'.repeat(200) }, []],
    [{ topic: 't', serverUrl: 'https://:tk_token@ntfy.example.com' }, []],
    [{ topic: '' }, ['config.topic bad_format']],
    [{ topic: 'x'.repeat(201) }, ['config.topic bad_format']],
    [{ topic: 't', serverUrl: 'ntfy.sh' }, ['config.serverUrl bad_format']],
    [{ topic: 't', serverUrl: 'https://ntfy.sh:0' }, ['config.serverUrl bad_address_port']],
    [{ serverUrl: 'https://ntfy.sh' }, ['config.topic required']],
    [{ topic: 't', priority: 5 }, ['config.priority unknown_field']],
  ])('the config %j of an ntfy channel has the faults %j', (config, faults) =>
    expect(faultsOf('ntfy', config)).toEqual(faults),
  );
});
