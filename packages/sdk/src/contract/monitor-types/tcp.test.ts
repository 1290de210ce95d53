import { describe, expect, test } from 'vitest';
import { monitorType, validateMonitor } from '../index.ts';

const base = { type: 'tcp', name: 'Database', host: 'db.internal', port: 5432 };

/** Changes fields of a valid TCP monitor, and returns the faults, each as `path code`. */
const faultsOf = (change: object) => {
  const parsed = validateMonitor({ ...base, ...change });
  return parsed.ok ? [] : parsed.faults.map(({ path, code }) => `${path} ${code}`);
};

describe('a TCP monitor accepts', () => {
  test.each([
    ['the smallest port', { port: 1 }],
    ['the largest port', { port: 65_535 }],
    ['an IPv4 address', { host: '192.0.2.1' }],
    ['an IPv6 address without brackets', { host: '2001:db8::1' }],
    ['an IPv6 address with a zone', { host: 'fe80::1%eth0' }],
    ['a host name of 253 characters', { host: `${'x'.repeat(61)}.`.repeat(4).slice(0, 247) + '.local' }],
  ])('a TCP monitor accepts %s', (_, change) => expect(faultsOf(change)).toEqual([]));
});

describe('a TCP monitor refuses', () => {
  test.each([
    ['a missing port', { port: undefined }, 'port required'],
    ['port zero', { port: 0 }, 'port too_small'],
    ['a port that is too large', { port: 65_536 }, 'port too_big'],
    ['a port as text', { port: '5432' }, 'port wrong_type'],
    ['a port with a fraction', { port: 1.5 }, 'port wrong_type'],
    ['null as a port', { port: null }, 'port wrong_type'],
    ['a missing host', { host: undefined }, 'host required'],
    ['a host with a port', { host: 'db.internal:5432' }, 'host host_with_port'],
    ['a host that begins with a dot', { host: '.internal' }, 'host bad_host'],
    ['a host with a character that is not allowed in names', { host: 'db!internal' }, 'host bad_host'],
    ['an IPv6 address in brackets', { host: '[2001:db8::1]' }, 'host bad_format'],
    ['a host of 254 characters', { host: 'x.'.repeat(126) + 'xx' }, 'host bad_format'],
    ['a host with a path', { host: 'db.internal/' }, 'host bad_format'],
  ])('a TCP monitor refuses %s', (_, change, fault) => expect(faultsOf(change)).toEqual([fault]));
});

test('the message for a bad host says whether a part is empty or has a bad character', () => {
  const messageOf = (host: string) => {
    const parsed = validateMonitor({ ...base, host });
    return parsed.ok ? '' : parsed.faults[0]!.message;
  };
  expect(messageOf('db..internal')).toContain('a part between dots is empty');
  expect(messageOf('db!internal')).toContain('parts of letters, digits, - and _');
});

test.each([
  ['db.internal', 'db.internal:5432'],
  ['192.0.2.1', '192.0.2.1:5432'],
  ['2001:db8::1', '[2001:db8::1]:5432'],
])('messages show the host %s with its port as %s', (host, address) => {
  const parsed = validateMonitor({ ...base, host });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults));
  expect(monitorType('tcp').address(parsed.value)).toBe(address);
  expect(monitorType('tcp').host(parsed.value)).toBe(host);
});
