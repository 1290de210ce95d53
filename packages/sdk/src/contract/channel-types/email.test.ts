import { expect, test } from 'vitest';
import { validateChannel } from '../index.ts';

/** The faults of an e-mail channel with this config, as `path code`. */
const faultsOf = (config: unknown) => {
  const parsed = validateChannel({ type: 'email', name: 'Team mail', config });
  return parsed.ok ? [] : parsed.faults.map(({ path, code }) => `${path} ${code}`);
};

test.each([
  'ops@example.com',
  'OPS@Example.COM',
  'ops+uptime@example.co.uk',
  "o'brien@example.com",
  'a.b-c_d@sub.example.com',
  `a@${'x'.repeat(60)}.${'y'.repeat(60)}.${'z'.repeat(60)}.${'w'.repeat(60)}.example`,
])('an e-mail channel accepts the address %s', (address) => expect(faultsOf({ address })).toEqual([]));

test.each([
  ['no characters', ''],
  ['only a name', 'ops'],
  ['nothing after the @', 'ops@'],
  ['a host of one part', 'ops@localhost'],
  ['a blank', 'ops @example.com'],
  ['a display name', 'Ops <ops@example.com>'],
  ['a second address', 'ops@example.com,dev@example.com'],
  ['a line break, which would add a header', 'ops@example.com\nBcc: eve@example.com'],
  ['two dots in a row', 'ops..team@example.com'],
  ['a dot at the start', '.ops@example.com'],
])('an e-mail channel refuses an address with %s', (_, address) =>
  expect(faultsOf({ address })).toEqual(['config.address bad_format']),
);

test('an e-mail channel refuses an address of more than 254 characters', () => {
  const host = `${'x'.repeat(60)}.`.repeat(4);
  expect(faultsOf({ address: `${'a'.repeat(10)}@${host}example.com` })).toEqual(['config.address too_big']);
});

test.each([
  [{}, ['config.address required']],
  [{ address: null }, ['config.address wrong_type']],
  [{ address: ['ops@example.com'] }, ['config.address wrong_type']],
  [{ email: 'ops@example.com' }, ['config.address required', 'config.email unknown_field']],
  ['ops@example.com', ['config wrong_type']],
  [null, ['config wrong_type']],
])('an e-mail channel refuses the config %j', (config, faults) => expect(faultsOf(config)).toEqual(faults));
