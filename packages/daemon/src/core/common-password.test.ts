import { expect, test } from 'vitest';
import { isCommonPassword } from './common-password.ts';

test.each([
  'password',
  'Password1',
  'Passw0rd',
  '12345678',
  '1234567890',
  '87654321',
  'aaaaaaaa',
  'qwertyuiop',
  'admin123',
])('the password %s is too common', (password) => expect(isCommonPassword(password)).toBe(true));

test.each(['correct horse', 'battery staple', 'my password is long', 'abcdefgx', 'xK3-fq9Z'])(
  'the password %s is not too common',
  (password) => expect(isCommonPassword(password)).toBe(false),
);
