import { describe, expect, test } from 'vitest';
import { createTargetGuard } from './targets.ts';

const refuses = (list: ReturnType<typeof createTargetGuard>, address: string) =>
  list.check(address, address.includes(':') ? 'ipv6' : 'ipv4');

const never = [
  '169.254.169.254',
  '169.254.0.1',
  '::ffff:169.254.169.254',
  '::ffff:a9fe:a9fe',
  '64:ff9b::a9fe:a9fe',
  '2002:a9fe:a9fe::1',
  '::a9fe:a9fe',
  '::ffff:0:a9fe:a9fe',
  'fe80::1',
  'febf::1',
  'fd00:ec2::254',
  'fd20:ce::254',
  '100.100.100.200',
  '168.63.129.16',
];
const local = [
  '127.0.0.1',
  '127.255.255.255',
  '::1',
  '::ffff:127.0.0.1',
  '10.1.2.3',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.0.1',
  '100.64.0.1',
  '192.0.2.1',
  'fd00::1',
  'fc00::1',
  '64:ff9b::a00:1',
  '2002:a00:1::1',
  '::ffff:0:a00:1',
];
const odd = ['0.0.0.0', '::', '224.0.0.1', '255.255.255.255', 'ff02::1', '2001:db8::1', '240.0.0.1', '198.18.0.1'];
const open = [
  '1.1.1.1',
  '8.8.8.8',
  '172.32.0.1',
  '172.15.0.1',
  '100.128.0.1',
  '192.0.1.1',
  '2606:4700::1111',
  '64:ff9b::808:808',
  '2a00::1',
];

describe('the policy `all`', () => {
  const guard = createTargetGuard('all');
  test.each(never)('the policy `all` blocks %s', (address) => expect(refuses(guard, address)).toBe(true));
  test.each([...local, ...open])('the policy `all` allows %s', (address) =>
    expect(refuses(guard, address)).toBe(false),
  );
});

describe('the policy `public-only`', () => {
  const guard = createTargetGuard('public-only');
  test.each([...never, ...local, ...odd])('the policy `public-only` blocks %s', (address) =>
    expect(refuses(guard, address)).toBe(true),
  );
  test.each(open)('the policy `public-only` allows %s', (address) => expect(refuses(guard, address)).toBe(false));
});

test("the policy `public-only` blocks this machine's own addresses, in every notation", () => {
  const own = createTargetGuard('public-only', ['203.0.114.7', '2a01:db8::7', 'fe80::1%eth0']);
  for (const address of ['203.0.114.7', '::ffff:203.0.114.7', '64:ff9b::cb00:7207', '2a01:db8::7'])
    expect(refuses(own, address), address).toBe(true);
  expect(refuses(own, '203.0.114.8')).toBe(false);
  expect(refuses(createTargetGuard('all', ['203.0.114.7']), '203.0.114.7')).toBe(false);
});
