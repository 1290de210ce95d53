import { Command } from 'commander';
import { expect, test } from 'vitest';
import { type FieldFlag, fieldFlags, flagFor, readFields, withField, withUnset } from './field-flags.ts';

const flags: readonly FieldFlag[] = [
  { field: 'name', flag: '--name <text>', kind: 'text', about: 'its name' },
  { field: 'interval', flag: '--interval <n>', kind: 'number', about: 'seconds' },
  { field: 'paused', flag: '--paused [boolean]', kind: 'boolean', about: 'whether it rests' },
  { field: 'method', flag: '--method <choice>', kind: 'choice', about: 'how', choices: ['GET', 'POST'] },
  { field: 'regions', flag: '--regions <list>', kind: 'list', about: 'where' },
  { field: 'expectedStatus', flag: '--expected-status <list>', kind: 'mixed', about: 'codes' },
  { field: 'config.headers', flag: '--header <name=value>', kind: 'map', about: 'headers' },
  { field: 'config.apiKey', flag: '--box-api-key <text>', kind: 'text', about: 'its key', secret: true },
];

/** Reads the fields of a command line with these words. Throws the errors of commander and of the readers. */
function read(...words: string[]) {
  const command = new Command().exitOverride().configureOutput({ writeErr: () => undefined });
  fieldFlags(command, flags, true);
  command.parse(words, { from: 'user' });
  return readFields(command.opts(), flags);
}

test('the flag of each kind of field is read as a value of that kind, and fields without a flag are left out', () => {
  expect(read()).toEqual({});
  expect(read('--name', '12', '--interval', '60')).toEqual({ name: '12', interval: 60 });
  expect(read('--regions', 'eu,us', '--regions', 'ap')).toEqual({ regions: ['eu', 'us', 'ap'] });
  expect(read('--regions', '')).toEqual({ regions: [] });
  expect(read('--expected-status', '204')).toEqual({ expectedStatus: 204 });
  expect(read('--expected-status', '200-299')).toEqual({ expectedStatus: '200-299' });
  expect(read('--method', 'POST')).toEqual({ method: 'POST' });
});

test('the flag of a boolean may have no value, the prefix --no-, or the value true or false', () => {
  expect(read('--paused')).toEqual({ paused: true });
  expect(read('--paused', 'false')).toEqual({ paused: false });
  expect(read('--no-paused')).toEqual({ paused: false });
  expect(() => read('--paused', 'yes')).toThrow('Expected true or false.');
});

test('a map contains the entries of both its singular and its plural flag', () => {
  expect(read('--header', 'A=1', '--headers', 'B=x=y')).toEqual({ config: { headers: { A: '1', B: 'x=y' } } });
  expect(read('--header', 'A=1', '--header', 'A=2')).toEqual({ config: { headers: { A: '2' } } });
});

test('an entry of a map without a name leads to an error that does not show the value', () => {
  expect(() => read('--header', 'hush-hush')).toThrow('--header expects name=value');
  expect(() => read('--header', '=hush')).toThrow('--header expects name=value');
});

test('text in place of a number is returned unchanged, because validation by the contract says later what was expected', () => {
  expect(read('--interval', '1m')).toEqual({ interval: '1m' });
  expect(read('--interval', '-1.5')).toEqual({ interval: -1.5 });
});

test('commander refuses a value that is not one of the choices', () => {
  expect(() => read('--method', 'PUT')).toThrow('Allowed choices are GET, POST.');
});

test('several fields of one object end up in the same nested object', () => {
  expect(read('--box-api-key', 'k', '--header', 'A=1')).toEqual({ config: { apiKey: 'k', headers: { A: '1' } } });
  expect(withField({ config: { a: 1 } }, ['config', 'b'], 2)).toEqual({ config: { a: 1, b: 2 } });
  expect(withField({}, ['__proto__', 'polluted'], true)).not.toHaveProperty('polluted');
});

test('flagFor returns the flag of a field, or of the map that contains the field', () => {
  expect(flagFor('expectedStatus', flags)).toBe('--expected-status');
  expect(flagFor('config.headers.X-Team', flags)).toBe('--header');
  expect(flagFor('unknown', flags)).toBe('unknown');
  expect(flagFor('name2', flags)).toBe('name2');
});

test('--unset accepts the name of a flag, a field or an entry of a map, and sets the field or the entry to null', () => {
  const unset = (...words: string[]) => withUnset({}, words, flags);
  expect(unset('--expected-status')).toEqual({ expectedStatus: null });
  expect(unset('expectedStatus', 'name')).toEqual({ expectedStatus: null, name: null });
  expect(unset('header.X-Team')).toEqual({ config: { headers: { 'X-Team': null } } });
  expect(unset('headers.a.b')).toEqual({ config: { headers: { 'a.b': null } } });
  expect(unset('apiKey')).toEqual({ config: { apiKey: null } });
  expect(unset('grace-period')).toEqual({ gracePeriod: null });
  expect(withUnset({ name: 'x', interval: 5 }, ['name'], flags)).toEqual({ name: null, interval: 5 });
});

test('the help says which types have a field; the help of a command that creates also says which fields are required', () => {
  const port = { field: 'port', flag: '--port <n>', kind: 'number', about: 'Port.', only: 'tcp only' } as const;
  const helpOf = (isNew: boolean) => {
    const command = new Command().configureHelp({ helpWidth: 200 });
    fieldFlags(command, [{ ...port, whenNew: 'required' }, flags[0]!], isNew);
    return command.helpInformation();
  };
  expect(helpOf(true)).toContain('Port. (tcp only; required)\n');
  expect(helpOf(false)).toContain('Port. (tcp only)\n');
  expect(helpOf(false)).toMatch(/its name$/m);
});
