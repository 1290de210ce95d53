import { expect, test } from 'vitest';
import { createBoxes } from '../testing/boxes.ts';
import { runCommand } from '../testing/run-command.ts';
import { update } from './update.ts';

const one = () => [{ id: 'box_1', name: 'Large', size: 9 }];

test('update sends only the given fields, and shows the changed resource', async () => {
  const { noun, calls } = createBoxes(one());
  const { exit, stdout } = await runCommand([update(noun)], ['boxes', 'update', 'Large', '--size', '10']);
  expect({ exit, stdout }).toEqual({ exit: 0, stdout: 'id:   box_1\nname: Large\nsize: 10\n' });
  expect(calls).toEqual([
    ['find', 'Large'],
    ['update', 'box_1', { size: 10 }],
  ]);
});

test('update fails without fields, and the error suggests a field', async () => {
  const { noun, calls } = createBoxes(one());
  expect(await runCommand([update(noun)], ['boxes', 'update', 'Large'], { apiKey: null })).toEqual({
    exit: 2,
    stdout: '',
    stderr:
      'error: nothing to change: name at least one field, such as --size 3\n' +
      '  `uptime boxes update --help` lists the flags\n',
  });
  expect(calls).toEqual([]);
});

test('update sends an empty list of monitors as a change, and does not look up monitors for it', async () => {
  const { noun, calls } = createBoxes(one());
  expect(await runCommand([update(noun)], ['boxes', 'update', 'Large', '--monitors', ''])).toMatchObject({ exit: 0 });
  expect(calls.at(-1)).toEqual(['update', 'box_1', { monitorIds: [] }]);
});

test('--unset accepts the name of a flag or of a field, and sends null for that field', async () => {
  const { noun, rules, calls } = createBoxes(one());
  rules.update = (patch) => ({ ok: true, value: patch });
  await runCommand([update(noun)], ['boxes', 'update', 'Large', '--unset', 'size', '--unset', '--secret']);
  expect(calls.at(-1)).toEqual(['update', 'box_1', { size: null, secret: null }]);
});

test('update has no --unset for a noun whose fields must all be given', async () => {
  const { noun } = createBoxes(one());
  const whole: typeof noun = { ...noun, update: { ...noun.update, withoutUnset: true } };
  expect(await runCommand([update(whole)], ['boxes', 'update', 'Large', '--unset', 'size'])).toMatchObject({ exit: 2 });
});

test('update reports faults before it looks up the resource, unless the faults depend on its type', async () => {
  const { noun, rules, calls } = createBoxes(one());
  const words = ['boxes', 'update', 'Large', '--size', 'x'];
  const early = await runCommand([update(noun)], words);
  expect(early.stderr).toContain('--size must be a whole number\n  `uptime boxes update --help` lists the flags');
  expect(calls).toEqual([]);
  rules.typed = true;
  expect(await runCommand([update(noun)], words)).toMatchObject({ exit: 2 });
  expect(calls).toEqual([['find', 'Large']]);
});

test('update passes the type of the resource to the rules of the fields', async () => {
  const typed = { id: 'box_1', name: 'Large', size: 9, type: 'cardboard' };
  const { noun, rules } = createBoxes([typed]);
  const types: unknown[] = [];
  rules.typed = true;
  rules.update = (patch, type) => {
    types.push(type);
    return { ok: true, value: patch };
  };
  expect(await runCommand([update(noun)], ['boxes', 'update', 'box_1', '--size', '1'])).toMatchObject({ exit: 0 });
  expect(types).toEqual(['cardboard']);
});
