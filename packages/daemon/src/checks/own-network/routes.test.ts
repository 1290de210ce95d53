import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseAddress, parseRoutes4, parseRoutes6, type Route, routeTo } from './routes.ts';

const table4 = `Iface	Destination	Gateway 	Flags	RefCnt	Use	Metric	Mask		MTU	Window	IRTT
eth0	00000000	01014D0A	0003	0	0	100	00000000	0	0	0
eth0	00014D0A	00000000	0001	0	0	0	00FFFFFF	0	0	0
*	00004E0A	00000000	0201	0	0	0	0000FFFF	0	0	0
*	00004F0A	00000000	0001	0	0	0	0000FFFF	0	0	0
`;
const table6 = `20010db8000000010000000000000000 40 00000000000000000000000000000000 00 00000000000000000000000000000000 00000100 00000001 00000000 00000001     eth0
00000000000000000000000000000000 00 00000000000000000000000000000000 00 fe800000000000000000000000000001 00000400 00000001 00000000 00000003     eth0
fe800000000000000000000000000000 40 00000000000000000000000000000000 00 00000000000000000000000000000000 00000100 00000001 00000000 00000001     eth0
00000000000000000000000000000000 00 00000000000000000000000000000000 00 00000000000000000000000000000000 ffffffff 00000001 00000000 00200200       lo
`;
const routes = [...parseRoutes4(table4), ...parseRoutes6(table6)];

test.each([
  ['8.8.8.8', { interface: 'eth0', gateway: '10.77.1.1', rejects: false }],
  ['10.77.1.9', { interface: 'eth0', gateway: null }],
  ['::ffff:10.77.1.9', { interface: 'eth0', gateway: null }],
  ['10.78.3.4', { rejects: true }],
  ['10.79.3.4', { rejects: true }],
  ['2001:db8:0:1::7', { interface: 'eth0', gateway: null }],
  ['2620:fe::fe', { interface: 'eth0', gateway: 'fe80:0000:0000:0000:0000:0000:0000:0001' }],
])('the route to %s is %j', (address, expected) => {
  expect(routeTo(routes, parseAddress(address)!)).toMatchObject(expected);
});

test('the kernel’s own "no IPv6" entry is not a route, and a name is not an address', () => {
  const none = parseRoutes6(table6.split('\n').slice(2).join('\n'));
  expect(none).toEqual([]);
  expect(parseAddress('example.com')).toBeNull();
  expect(parseAddress('2001:db8::192.0.2.1')).toEqual(parseAddress('2001:db8::c000:201'));
});

test('routeTo returns the route with the longest prefix, and the lowest metric among routes with this prefix', () => {
  const bits = (value: bigint) => value.toString(2).padStart(32, '0');
  const route = fc.record({ network: fc.nat({ max: 255 }), prefix: fc.integer({ min: 0, max: 8 }), metric: fc.nat(3) });
  fc.assert(
    fc.property(fc.array(route, { maxLength: 12 }), fc.nat({ max: 255 }), (given, host) => {
      const table = given.map(({ network, ...rest }): Route => ({
        ...rest,
        family: 4,
        network: BigInt(network) << 24n,
        interface: 'eth0',
        gateway: null,
        rejects: false,
      }));
      const value = BigInt(host) << 24n;
      const fitting = table.filter(
        ({ network, prefix }) => bits(network).slice(0, prefix) === bits(value).slice(0, prefix),
      );
      const best = fitting.toSorted((a, b) => b.prefix - a.prefix || a.metric - b.metric)[0];
      const found = routeTo(table, { family: 4, value });
      expect([found?.prefix, found?.metric]).toEqual([best?.prefix, best?.metric]);
    }),
  );
});
