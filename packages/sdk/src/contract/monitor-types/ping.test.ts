import { expect, test } from 'vitest';
import { monitorType, validateMonitor } from '../index.ts';

/** Changes fields of a valid ping monitor, and returns the faults, each as `path code`. */
const faultsOf = (change: object) => {
  const parsed = validateMonitor({ type: 'ping', name: 'Router', host: '192.0.2.1', ...change });
  return parsed.ok ? [] : parsed.faults.map(({ path, code }) => `${path} ${code}`);
};

test.each([
  ['a missing host', { host: undefined }, ['host required']],
  ['an empty host', { host: '' }, ['host bad_format']],
  ['a host with a port', { host: 'router:80' }, ['host host_with_port']],
  ['a host with an empty part', { host: 'router..lan' }, ['host bad_host']],
  ['a web address', { host: 'http://router' }, ['host bad_format']],
  ['a port, which only TCP has', { port: 80 }, ['port unknown_field']],
])('a ping monitor refuses %s', (_, change, faults) => expect(faultsOf(change)).toEqual(faults));

test.each(['router', 'router.lan.', '192.0.2.1', '2001:db8::1'])('a ping monitor accepts %s', (host) => {
  expect(faultsOf({ host })).toEqual([]);
});

test('messages show only the host of a ping monitor, because its port is always 80', () => {
  const parsed = validateMonitor({ type: 'ping', name: 'Router', host: '2001:db8::1' });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults));
  expect(monitorType('ping').address(parsed.value)).toBe('2001:db8::1');
});
