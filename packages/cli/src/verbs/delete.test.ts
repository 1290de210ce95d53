import { expect, test } from 'vitest';
import { createBoxes } from '../testing/boxes.ts';
import { runCommand } from '../testing/run-command.ts';
import { remove } from './delete.ts';

const one = () => [{ id: 'box_1', name: 'Large\u001b[31m', size: 9 }];

test('delete fails without a terminal if --yes is missing, and deletes nothing', async () => {
  const { noun, rows, calls } = createBoxes(one());
  const { exit, stderr } = await runCommand([remove(noun)], ['boxes', 'delete', 'box_1']);
  expect(exit).toBe(2);
  expect(stderr).toBe('error: there is no terminal to ask on; nothing was changed\n  add --yes to delete it\n');
  expect(calls).toEqual([['find', 'box_1']]);
  expect(rows).toHaveLength(1);
});

test('with --yes, delete asks no question; with --json, it prints the deleted resource', async () => {
  const { noun, rows } = createBoxes(one());
  const deleted = await runCommand([remove(noun)], ['boxes', 'delete', 'box_1', '--yes', '--json']);
  expect(deleted.exit).toBe(0);
  expect(deleted.stderr).toBe('Deleted box "Large" (box_1).\n');
  expect(JSON.parse(deleted.stdout)).toEqual({ id: 'box_1', name: 'Large\u001b[31m', deleted: true });
  expect(rows).toEqual([]);
});

test('with --quiet, delete prints only the id; as a table, it prints nothing on standard output', async () => {
  const quiet = await runCommand([remove(createBoxes(one()).noun)], ['boxes', 'delete', 'box_1', '--yes', '-q']);
  expect(quiet).toEqual({ exit: 0, stdout: 'box_1\n', stderr: '' });
  const table = await runCommand([remove(createBoxes(one()).noun)], ['boxes', 'delete', 'box_1', '--yes']);
  expect(table.stdout).toBe('');
});

test('the messages of delete describe the resource as `subject` does, and delete then calls `after`', async () => {
  const { noun } = createBoxes(one());
  const last: typeof noun = {
    ...noun,
    delete: {
      ...noun.delete,
      subject: ({ size }) => `box of size ${size}`,
      after: ({ id }, { io }) => io.say(`${id} was the last.`),
    },
  };
  const { stderr } = await runCommand([remove(last)], ['boxes', 'delete', 'box_1', '--yes']);
  expect(stderr).toBe('Deleted box of size 9.\nbox_1 was the last.\n');
});

test('delete reports an unknown resource before it asks a question', async () => {
  const { noun } = createBoxes();
  expect(await runCommand([remove(noun)], ['boxes', 'delete', 'None'])).toMatchObject({
    exit: 1,
    stderr: 'error: no box is called None\n',
  });
});
