import { expect, test } from 'vitest';
import { openSignUpWarning } from './open-sign-up-warning.ts';

const open = { mode: 'private', host: '0.0.0.0', signup: 'open', targets: 'all' } as const;

test('a server on a public address with open sign-up and all targets gets a warning', () => {
  expect(openSignUpWarning(open, false)).toMatch(/UPTIME_MODE=public.*close-signup/);
});

test('a server in public mode with open sign-up gets a warning, even behind a proxy on this machine', () => {
  for (const host of ['0.0.0.0', '127.0.0.1'])
    expect(openSignUpWarning({ ...open, mode: 'public', host, targets: 'public-only' }, false)).toMatch(
      /public server can sign up.*UPTIME_SIGNUP.*close-signup/,
    );
});

test.each([
  ['that only this machine reaches', { host: '127.0.0.1' }],
  ['at localhost, which only this machine reaches', { host: 'localhost' }],
  ['with sign-up by invitation', { signup: 'invite' }],
  ['that may check only public targets', { targets: 'public-only' }],
  ['in public mode, with sign-up by invitation', { mode: 'public', signup: 'invite' }],
  ['in public mode, without sign-up', { mode: 'public', signup: 'closed' }],
] as const)('a server %s gets no warning', (_, change) => {
  expect(openSignUpWarning({ ...open, ...change }, false)).toBeNull();
});

test('a server whose operator closed sign-up gets no warning', () => {
  expect(openSignUpWarning(open, true)).toBeNull();
});
