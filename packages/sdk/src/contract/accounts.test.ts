import { describe, expect, test } from 'vitest';
import type * as z from 'zod';
import {
  passwordChange,
  probeTokenInput,
  projectInput,
  projectKeyInput,
  projectPatch,
  signInInput,
  signUpInput,
  validate,
} from './index.ts';

const faultsOf = (schema: z.ZodType, input: unknown) => {
  const parsed = validate(schema, input);
  return parsed.ok ? [] : parsed.faults.map(({ path, code }) => `${path} ${code}`);
};
const ada = { name: 'Ada', email: 'ada@example.com', password: 'a long secret' };

describe('the fields of a sign-up', () => {
  test.each([
    ['a password of eight characters', { password: '12345678' }, []],
    ['a password of 128 characters', { password: 'x'.repeat(128) }, []],
    ['an invitation', { invitation: 'abc' }, []],
    ['a password of seven characters', { password: '1234567' }, ['password too_small']],
    ['a password of 129 characters', { password: 'x'.repeat(129) }, ['password too_big']],
    ['no password', { password: undefined }, ['password required']],
    ['a wrong e-mail address', { email: 'ada' }, ['email bad_format']],
    ['a long e-mail address', { email: `ada@${'x.'.repeat(125)}com` }, ['email too_big']],
    ['a blank name', { name: ' ' }, ['name bad_format']],
    ['a long invitation', { invitation: 'x'.repeat(101) }, ['invitation too_big']],
    ['a role, which users cannot choose', { role: 'admin' }, ['role unknown_field']],
  ])('a sign-up with %s (%j) has the faults %j', (_, change, faults) => {
    expect(faultsOf(signUpInput, { ...ada, ...change })).toEqual(faults);
  });
});

describe('the fields of a sign-in', () => {
  test.each([
    // A sign-in accepts short passwords: the rules may have been looser when the account was created.
    ['a short password', { password: '1' }, []],
    ['an empty password', { password: '' }, []],
    ['a password of 129 characters', { password: 'x'.repeat(129) }, ['password too_big']],
    ['a name', { name: 'Ada' }, ['name unknown_field']],
  ])('a sign-in with %s (%j) has the faults %j', (_, change, faults) => {
    const { email, password } = ada;
    expect(faultsOf(signInInput, { email, password, ...change })).toEqual(faults);
  });
});

test.each([
  [{ currentPassword: '', newPassword: '12345678' }, []],
  [{ currentPassword: 'x', newPassword: '1234567' }, ['newPassword too_small']],
  [{ currentPassword: 'x'.repeat(129), newPassword: '12345678' }, ['currentPassword too_big']],
  [{ newPassword: '12345678' }, ['currentPassword required']],
])('the change %j of a password has the faults %j', (input, faults) => {
  expect(faultsOf(passwordChange, input)).toEqual(faults);
});

test.each([
  [{ name: 'Shop' }, []],
  [{ name: 'x'.repeat(200) }, []],
  [{}, ['name required']],
  [{ name: 'x'.repeat(201) }, ['name bad_format']],
  [{ name: 'Shop', apiKey: 'mine' }, ['apiKey unknown_field']],
])('the input %j for a new project has the faults %j', (input, faults) =>
  expect(faultsOf(projectInput, input)).toEqual(faults),
);

test.each([
  [{}, []],
  [{ name: 'Shop' }, []],
  [{ name: null }, ['name wrong_type']],
  [{ id: 'prj_1' }, ['id unknown_field']],
])('the change %j of a project has the faults %j', (input, faults) => {
  expect(faultsOf(projectPatch, input)).toEqual(faults);
});

describe('a key for a machine', () => {
  test.each<[object, string[]]>([
    ...['ping', 'read', 'apply', 'full'].map((scope): [object, string[]] => [{ scope }, []]),
    [{ expiresAt: '2027-01-31T08:00:00Z' }, []],
    [{ expiresAt: null }, []],
    [{ scope: 'write' }, ['scope not_a_choice']],
    [{ scope: undefined }, ['scope not_a_choice']],
    [{ name: undefined }, ['name required']],
    [{ expiresAt: '2027-01-31' }, ['expiresAt bad_format']],
    [{ expiresAt: 86_400 }, ['expiresAt wrong_type']],
    [{ key: 'chosen' }, ['key unknown_field']],
  ])('a key for a machine with %j has the faults %j', (change, faults) => {
    expect(faultsOf(projectKeyInput, { name: 'ci', scope: 'read', ...change })).toEqual(faults);
  });

  test('a key for a machine never expires by default', () => {
    expect(validate(projectKeyInput, { name: 'ci', scope: 'read' })).toMatchObject({ value: { expiresAt: null } });
  });
});

test.each([
  [{ region: 'eu-west-1' }, []],
  [{ region: '1' }, []],
  [{ region: 'EU' }, ['region bad_format']],
  [{ region: '-eu' }, ['region bad_format']],
  [{ region: 'eu_west' }, ['region bad_format']],
  [{ region: 'x'.repeat(64) }, ['region bad_format']],
  [{}, ['region required']],
])('the input %j for the token of a probe has the faults %j', (input, faults) => {
  expect(faultsOf(probeTokenInput, input)).toEqual(faults);
});
