import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { passingCheck } from '../testing/passing-check.ts';
import { createFakeClock } from '../testing/fake-clock.ts';
import { createTestDaemon, type TestDaemon } from '../testing/test-daemon.ts';
import { networkOf } from './network-of.ts';
import { createRateLimit } from './rate-limit.ts';

const maxAttempts = 10;

/**
 * Makes `count` requests of a caller. Returns how many seconds the caller has to wait after the last request; null if
 * that request was accepted.
 */
function attempts(throttle: (caller: string) => void, caller: string, count: number): number | null {
  let wait: number | null = null;
  for (let n = 0; n < count; n++) {
    try {
      throttle(caller);
      wait = null;
    } catch (error) {
      wait = (error as { retryAfterSeconds: number }).retryAfterSeconds;
    }
  }
  return wait;
}

test('a refused caller gets the time to wait, and is accepted after this time', async () => {
  const clock = createFakeClock();
  const throttle = createRateLimit(clock);
  expect(attempts(throttle, 'ada', maxAttempts)).toBeNull();
  await clock.advance(20_500);
  expect(attempts(throttle, 'ada', 1)).toBe(40);
  await clock.advance(39_499);
  expect(attempts(throttle, 'ada', 1)).toBe(1);
  await clock.advance(1);
  expect(attempts(throttle, 'ada', maxAttempts)).toBeNull();
  expect(attempts(throttle, 'ada', 1)).toBe(60);
});

test('beyond the maximum number of callers, the rate limit forgets the caller whose minute began first', async () => {
  const clock = createFakeClock();
  const throttle = createRateLimit(clock);
  throttle('again');
  await clock.advance(60_000);
  expect(attempts(throttle, 'oldest', maxAttempts + 1)).toBe(60);
  expect(attempts(throttle, 'again', maxAttempts + 1)).toBe(60);
  for (let n = 2; n <= 100_000; n++) throttle(`caller ${n}`);
  expect(attempts(throttle, 'again', 1)).toBe(60);
  expect(attempts(throttle, 'oldest', 1)).toBeNull();
});

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::FFFF:c000:201', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::1', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['192.0.2.1:50123', '192.0.2.1'],
  ['[2001:db8:1:2::3]:50123', '2001:db8:1:2::/64'],
  ['[2001:db8:1:2::3]', '2001:db8:1:2::/64'],
  ['no address', 'no address'],
])('the address %s belongs to the network %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});

interface Attempt {
  email?: string;
  password?: string;
  path?: string;
  from?: string;
  headers?: Record<string, string>;
}

/** Sends `count` sign-ins and returns the statuses. Sign-ins without a password are fast, as nothing is hashed. */
async function signIns(daemon: TestDaemon, count: number, attempt: (n: number) => Attempt): Promise<number[]> {
  const statuses: number[] = [];
  for (let n = 0; n < count; n++) {
    const { email, password, path = '/api/auth/sign-in/email', from = '127.0.0.1', headers = {} } = attempt(n);
    const payload = { email: email ?? `somebody-${n}@example.com`, password };
    const answer = await daemon.inject({ method: 'POST', url: path, headers, payload, remoteAddress: from });
    statuses.push(answer.statusCode);
  }
  return statuses;
}

const throttledAfterMost = [...Array<number>(maxAttempts).fill(400), 429, 429];
const open = (env: Record<string, string> = {}) =>
  createTestDaemon({ runCheck: passingCheck, env: { UPTIME_RATE_LIMIT: 'on', ...env } });

describe('the rate limit of sign-ins', () => {
  let daemon: TestDaemon;
  beforeAll(async () => {
    daemon = await open();
  });
  afterAll(() => daemon.close());

  const named = (n: number) => {
    const address = `192.0.2.${n}`;
    return { 'x-forwarded-for': address, forwarded: `for=${address}`, 'x-real-ip': address, 'x-client-ip': address };
  };
  test.each<[string, (n: number) => Attempt]>([
    ['with another account each time', () => ({ from: '203.0.113.1' })],
    ['with headers that name another address each time', (n) => ({ from: '203.0.113.2', headers: named(n) })],
    ['from another address of its /64 each time', (n) => ({ from: `2001:db8:1:2::${n}` })],
    ['from one IPv4 address in both of its spellings', (n) => ({ from: `${n % 2 ? '' : '::ffff:'}203.0.113.3` })],
    ['with another query each time', (n) => ({ from: '203.0.113.4', path: `/api/auth/sign-in/email?n=${n}` })],
    [
      'with the path escaped in another way each time',
      (n) => ({ from: '203.0.113.5', path: `/api/auth/sign-in/e%6${n % 2 ? 'D' : 'd'}ail` }),
    ],
  ])('the server refuses an address that signs in too often, even %s', async (_, attempt) => {
    expect(await signIns(daemon, maxAttempts + 2, attempt)).toEqual(throttledAfterMost);
  });
});

test.each(['true', '1', '127.0.0.1'])(
  'behind a proxy (UPTIME_TRUST_PROXY=%s), the limit counts requests by the address that the proxy saw',
  async (trust) => {
    const daemon = await open({ UPTIME_TRUST_PROXY: trust });
    try {
      const from = (addresses: string) => ({ headers: { 'x-forwarded-for': addresses } });
      const forged = await signIns(daemon, maxAttempts + 2, (n) => from(`192.0.2.${n}, 198.51.100.7`));
      expect(forged).toEqual(throttledAfterMost);
      expect(await signIns(daemon, 1, () => from('198.51.100.8'))).toEqual([400]);
    } finally {
      await daemon.close();
    }
  },
);

test('a request to the sign-in path in another spelling gets 404', async () => {
  const daemon = await open();
  try {
    const password = { email: daemon.email, password: 'correct horse' };
    for (const path of [
      '//api/auth/sign-in/email',
      '/api//auth/sign-in/email',
      '/API/auth/sign-in/email',
      '/api/auth/sign-in/email/',
      '/api/auth/Sign-In/email',
      '/api/./auth/sign-in%2femail',
      '/x/../api/auth/sign-in/email',
    ]) {
      const answer = await daemon.inject({ method: 'POST', url: path, payload: password });
      // The test client's URL parser removes `/..`, so this request reaches the sign-in address itself.
      expect([path, answer.statusCode]).toEqual([path, path.includes('/..') ? 200 : 404]);
    }
  } finally {
    await daemon.close();
  }
});

test('the server limits guesses at a password, even from many IP addresses and if the case of the e-mail address varies', async () => {
  const daemon = await open();
  try {
    const statuses = await signIns(daemon, maxAttempts + 1, (n) => ({
      from: `198.51.100.${n}`,
      email: n % 2 ? daemon.email : daemon.email.toUpperCase(),
      password: 'wrong',
    }));
    expect(statuses).toEqual([...Array<number>(maxAttempts).fill(401), 429]);
    const another = { from: '198.51.100.200', password: 'wrong' };
    expect(await signIns(daemon, 1, () => another)).toEqual([401]);
  } finally {
    await daemon.close();
  }
});

test('the server limits guesses at the current password in password changes, even from many IP addresses', async () => {
  const daemon = await open();
  try {
    const statuses: number[] = [];
    for (let n = 0; n <= maxAttempts; n++) {
      const answer = await daemon.inject({
        method: 'POST',
        url: '/api/auth/change-password',
        headers: { cookie: daemon.cookie },
        payload: { currentPassword: 'wrong', newPassword: 'something else' },
        remoteAddress: `198.51.100.${n}`,
      });
      statuses.push(answer.statusCode);
    }
    expect(statuses).toEqual([...Array<number>(maxAttempts).fill(400), 429]);
  } finally {
    await daemon.close();
  }
});
