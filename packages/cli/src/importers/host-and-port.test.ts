import * as fc from 'fast-check';
import { isIPv6 } from 'node:net';
import { expect, test } from 'vitest';
import { hostAndPort } from './host-and-port.ts';

test.each([
  ['a.example', 'a.example', undefined],
  ['a.example:22', 'a.example', 22],
  ['tcp://a.example:22', 'a.example', 22],
  ['TLS://a.example:443/x:1', 'a.example', 443],
  ['192.0.2.1:5432', '192.0.2.1', 5432],
  ['[2001:db8::1]:22', '2001:db8::1', 22],
  ['[2001:db8::1]', '2001:db8::1', undefined],
  ['2001:db8::1', '2001:db8::1', undefined],
  ['icmp://::1', '::1', undefined],
  ['', '', undefined],
])('the address %j has the host %j and the port %j', (address, host, port) => {
  expect(hostAndPort(address)).toEqual({ host, port });
});

test('hostAndPort returns any IP address unchanged, with and without scheme, port and path', () => {
  const part = fc.constantFrom('', '/', '/a:1/b');
  fc.assert(
    fc.property(
      fc.oneof(fc.ipV4(), fc.ipV6()),
      fc.option(fc.integer({ min: 1, max: 65_535 }), { nil: undefined }),
      fc.constantFrom('', 'tcp://', 'icmp://'),
      part,
      (host, port, scheme, path) => {
        const isBracketed = isIPv6(host) && port !== undefined;
        const written = `${scheme}${isBracketed ? `[${host}]` : host}${port === undefined ? '' : `:${port}`}${path}`;
        expect(hostAndPort(written)).toEqual({ host, port });
      },
    ),
  );
});
