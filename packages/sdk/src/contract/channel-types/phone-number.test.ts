import { describe, expect, test } from 'vitest';
import { channelTypeDefinitions, validateChannel } from '../index.ts';

describe.each(['sms', 'phone'] as const)('the number of a channel of type %s', (type) => {
  const faultsOf = (phoneNumber: unknown) => {
    const parsed = validateChannel({ type, name: 'Duty phone', config: { phoneNumber } });
    return parsed.ok ? [] : parsed.faults.map(({ path, code }) => `${path} ${code}`);
  };

  test.each(['+15550100', '+12', `+${'9'.repeat(15)}`])('the phone number may be %s', (number) =>
    expect(faultsOf(number)).toEqual([]),
  );

  test.each([
    ['', 'bad_format'],
    ['15550100', 'bad_format'],
    ['0049 30 123456', 'bad_format'],
    ['+05550100', 'bad_format'],
    ['+1', 'bad_format'],
    [`+${'9'.repeat(16)}`, 'bad_format'],
    ['+1 555 0100', 'bad_format'],
    ['+1-555-0100', 'bad_format'],
    ['+1555٠100', 'bad_format'],
    ['+15550100\n', 'bad_format'],
    [15_550_100, 'wrong_type'],
    [undefined, 'required'],
  ])('the phone number may not be %j', (number, code) =>
    expect(faultsOf(number)).toEqual([`config.phoneNumber ${code}`]),
  );

  test('the phone number is the address to which the phone gateway of the operator sends, and is not a secret', () => {
    expect(channelTypeDefinitions[type].gateway).toEqual({ kind: 'phone', address: 'phoneNumber' });
    expect(channelTypeDefinitions[type].secrets).toEqual([]);
  });
});
