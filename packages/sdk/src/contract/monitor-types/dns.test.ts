import { describe, expect, test } from 'vitest';
import { monitorType, validateMonitor } from '../index.ts';

const base = { type: 'dns', name: 'Zone', hostname: 'api.example.com' };

/** Changes fields of a valid DNS monitor, and returns the faults, each as `path code`. */
const faultsOf = (change: object) => {
  const parsed = validateMonitor({ ...base, ...change });
  return parsed.ok ? [] : parsed.faults.map(({ path, code }) => `${path} ${code}`);
};

describe('a DNS monitor accepts', () => {
  test.each<[string, object]>([
    ['a name of one part', { hostname: 'localhost' }],
    ['a name with a final dot', { hostname: 'api.example.com.' }],
    ['a name with an underscore', { hostname: '_dmarc.example.com' }],
    ['an international name', { hostname: 'Bücher.example' }],
    ['a name with a part of 63 characters', { hostname: `${'x'.repeat(63)}.example` }],
    ...['A', 'AAAA', 'CNAME', 'MX', 'TXT'].map((recordType): [string, object] => [
      `${recordType} records`,
      { recordType },
    ]),
    ['an expected value of one character', { expectedValue: '1' }],
    ['an expected value of 4096 characters', { expectedValue: 'x'.repeat(4096) }],
    ['null as the expected value, which means any value', { expectedValue: null }],
    ['a name server by address', { nameserver: '192.0.2.53' }],
    ['a name server by name', { nameserver: 'ns1.example.com' }],
    ['a name server with a port', { nameserver: 'ns1.example.com:5353' }],
    ['a name server with the largest port', { nameserver: '192.0.2.53:65535' }],
    ['a name server by IPv6 address', { nameserver: '2620:fe::fe' }],
    ['a name server by IPv6 address with a port', { nameserver: '[2620:fe::fe]:53' }],
    ['null as the name server, which means the name server of the checker', { nameserver: null }],
  ])('a DNS monitor accepts %s', (_, change) => expect(faultsOf(change)).toEqual([]));
});

describe('a DNS monitor refuses', () => {
  test.each([
    ['a missing name', { hostname: undefined }, 'hostname required'],
    ['an empty name', { hostname: '' }, 'hostname bad_format'],
    ['a name with an empty part', { hostname: 'api..example.com' }, 'hostname bad_host'],
    ['a name with a wildcard', { hostname: '*.example.com' }, 'hostname bad_host'],
    ['a name with a part of 64 characters', { hostname: `${'x'.repeat(64)}.example` }, 'hostname bad_host'],
    ['a name with a port', { hostname: 'api.example.com:53' }, 'hostname host_with_port'],
    ['a web address', { hostname: 'https://api.example.com' }, 'hostname bad_format'],
    ['a record type in small letters', { recordType: 'a' }, 'recordType not_a_choice'],
    ['a record type that is not checked', { recordType: 'SRV' }, 'recordType not_a_choice'],
    ['an empty expected value', { expectedValue: '' }, 'expectedValue too_small'],
    ['an expected value of 4097 characters', { expectedValue: 'x'.repeat(4097) }, 'expectedValue too_big'],
    ['a list of expected values', { expectedValue: ['192.0.2.1'] }, 'expectedValue wrong_type'],
    ['an empty name server', { nameserver: '' }, 'nameserver bad_format'],
    ['a name server with a scheme', { nameserver: 'udp://192.0.2.53' }, 'nameserver bad_format'],
    ['a name server with port zero', { nameserver: '192.0.2.53:0' }, 'nameserver bad_name_server'],
    ['a name server with a port that is too large', { nameserver: '192.0.2.53:65536' }, 'nameserver bad_name_server'],
    ['a name server with a word as its port', { nameserver: '192.0.2.53:dns' }, 'nameserver bad_name_server'],
    ['a name server with a port and no host', { nameserver: ':53' }, 'nameserver bad_name_server'],
    ['a name server without the closing bracket', { nameserver: '[2620:fe::fe' }, 'nameserver bad_name_server'],
  ])('a DNS monitor refuses %s', (_, change, fault) => expect(faultsOf(change)).toEqual([fault]));
});

test('a DNS monitor queries A records and expects no value by default', () => {
  expect(validateMonitor(base)).toMatchObject({
    ok: true,
    value: { recordType: 'A', expectedValue: null, nameserver: null },
  });
});

test('lists show the name of a DNS monitor with its record type, and messages show only the name', () => {
  const parsed = validateMonitor({ ...base, recordType: 'MX' });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults));
  const definition = monitorType('dns');
  expect(definition.addressInLists?.(parsed.value)).toBe('api.example.com MX');
  expect(definition.address(parsed.value)).toBe('api.example.com');
  expect(definition.host(parsed.value)).toBe('api.example.com');
});
