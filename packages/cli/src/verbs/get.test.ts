import { expect, test } from 'vitest';
import { createBoxes } from '../testing/boxes.ts';
import { runCommand } from '../testing/run-command.ts';
import { get } from './get.ts';

const one = () => [{ id: 'box_1', name: 'Large', size: 9 }];

test('get shows the resource that its argument names, in each format', async () => {
  const { noun, calls } = createBoxes(one());
  const shown = await runCommand([get(noun)], ['boxes', 'get', 'Large']);
  expect(shown).toEqual({ exit: 0, stdout: 'id:   box_1\nname: Large\nsize: 9\n', stderr: '' });
  expect(calls).toEqual([['find', 'Large']]);
  const { stdout } = await runCommand([get(noun)], ['boxes', 'get', 'box_1', '-o', 'json']);
  expect(JSON.parse(stdout)).toEqual(one()[0]);
  expect((await runCommand([get(noun)], ['boxes', 'get', 'Large', '-o', 'yaml'])).stdout).toContain('name: Large');
  expect((await runCommand([get(noun)], ['boxes', 'get', 'Large', '-q'])).stdout).toBe('box_1\n');
});

test('the help of get shows the argument with its description', async () => {
  const { stdout } = await runCommand([get(createBoxes().noun)], ['boxes', 'get', '--help']);
  expect(stdout).toContain('Usage: uptime boxes get [options] <box>');
  expect(stdout).toMatch(/box +its id or name/);
});

test('an unknown resource and a missing argument fail with their own exit codes', async () => {
  const { noun } = createBoxes(one());
  expect(await runCommand([get(noun)], ['boxes', 'get', 'None'])).toEqual({
    exit: 1,
    stdout: '',
    stderr: 'error: no box is called None\n',
  });
  expect(await runCommand([get(noun)], ['boxes', 'get'])).toMatchObject({ exit: 2 });
});

test('a noun may rename the verb get, and give it a function that prints more than its `show`', async () => {
  const { noun } = createBoxes(one());
  const more: typeof noun = {
    ...noun,
    get: { ...noun.get, verb: 'show', show: async ({ name }, _shown, { io }) => io.print(`all about ${name}`) },
  };
  expect((await runCommand([get(more)], ['boxes', 'show', 'Large'])).stdout).toBe('all about Large\n');
});

test('a noun may add flags that make get print more', async () => {
  const { noun } = createBoxes(one());
  const keyed: typeof noun = {
    ...noun,
    showFlags: (command) => void command.option('--show-key', 'print the key'),
    show: async (_box, { showKey }, { io }) => io.print(String(showKey)),
  };
  expect((await runCommand([get(keyed)], ['boxes', 'get', 'Large', '--show-key'])).stdout).toBe('true\n');
  expect((await runCommand([get(keyed)], ['boxes', 'get', 'Large'])).stdout).toBe('false\n');
  expect(await runCommand([get(noun)], ['boxes', 'get', 'Large', '--show-key'])).toMatchObject({ exit: 2 });
});
