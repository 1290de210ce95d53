import { expect, test } from 'vitest';
import type { Given } from '../kinds/field-rules.ts';
import { isSet } from '../flags/raw-flags.ts';
import { createBoxes } from '../testing/boxes.ts';
import { runCommand } from '../testing/run-command.ts';
import { create } from './create.ts';

/** A server with one monitor, to which new resources may refer. */
const shop = {
  siteUrl: 'http://uptime.test',
  fetch: (async () => Response.json([{ id: 'mon_1', key: 'shop', name: 'Shop' }])) as typeof fetch,
};

test('create sends the validated fields with their defaults, and shows the new resource', async () => {
  const { noun, calls } = createBoxes();
  const { exit, stdout } = await runCommand([create(noun)], ['boxes', 'create', '--name', 'Large']);
  expect(exit).toBe(0);
  expect(stdout).toBe('id:   box_1\nname: Large\nsize: 1\n');
  expect(calls).toEqual([['create', { name: 'Large', size: 1 }]]);
  expect((await runCommand([create(noun)], ['boxes', 'create', '--name', 'B', '-q'])).stdout).toBe('box_2\n');
});

test('create reports every fault with its flag, even if there is no API key', async () => {
  const { noun, calls } = createBoxes();
  const words = ['boxes', 'create', '--size', 'x'];
  expect(await runCommand([create(noun)], words, { apiKey: null })).toEqual({
    exit: 2,
    stdout: '',
    stderr:
      'error: --name is required\n' +
      '--size must be a whole number\n' +
      '  `uptime boxes create --help` lists the flags\n',
  });
  expect(await runCommand([create(noun)], ['boxes', 'create', '--name', 'x'], { apiKey: null })).toMatchObject({
    exit: 4,
  });
  expect(calls).toEqual([]);
});

test('create replaces the names of other resources by their ids', async () => {
  const { noun, calls } = createBoxes();
  const named = await runCommand([create(noun)], ['boxes', 'create', '--name', 'x', '--monitors', 'shop,Shop'], {
    server: shop,
  });
  expect(named.exit).toBe(0);
  expect(calls).toEqual([['create', { name: 'x', size: 1, monitorIds: ['mon_1'] }]]);
  const unknown = await runCommand([create(noun)], ['boxes', 'create', '--name', 'x', '--monitors', 'shp,nothing'], {
    server: shop,
  });
  expect(unknown.exit).toBe(1);
  expect(unknown.stderr).toBe(
    'error: no monitor has the key or name "shp"; did you mean "shop"?\n' +
      'no monitor has the key or name "nothing"\n' +
      '  `uptime monitors list` lists all monitors\n',
  );
  expect(calls).toHaveLength(1);
});

test('create asks questions only on a terminal, and validates the answers', async () => {
  const { noun, rules, calls } = createBoxes();
  rules.ask = async ({ fields, members }: Given) => {
    calls.push(['ask', fields]);
    return { fields: { ...fields, name: 'Answered' }, members };
  };
  const seen = { terminal: true, server: shop };
  expect(await runCommand([create(noun)], ['boxes', 'create'])).toMatchObject({ exit: 2 });
  expect(calls).toEqual([]);
  const answered = await runCommand([create(noun)], ['boxes', 'create', '--size', '2'], { ...seen, interactive: true });
  expect(answered.exit).toBe(0);
  expect(calls).toEqual([
    ['ask', { size: 2 }],
    ['create', { name: 'Answered', size: 2 }],
  ]);
  const wrong = await runCommand([create(noun)], ['boxes', 'create', '--size', 'x'], { ...seen, interactive: true });
  expect(wrong).toMatchObject({ exit: 2 });
  expect(wrong.stderr).toContain('--size must be a whole number');
});

test('create reads a secret from standard input, and fails if the input is empty', async () => {
  const { noun, rules } = createBoxes();
  let secret: unknown;
  rules.create = ({ fields }) => {
    secret = fields['secret'];
    return { ok: true, value: fields };
  };
  const words = ['boxes', 'create', '--name', 'x', '--secret', '-', '-q'];
  expect(await runCommand([create(noun)], words, { stdin: 'hush\n' })).toMatchObject({ exit: 0, stderr: '' });
  expect(secret).toBe('hush');
  const empty = await runCommand([create(noun)], words, { stdin: '\n' });
  expect(empty).toMatchObject({ exit: 2, stderr: 'error: no --secret was read from standard input\n' });
});

test('create calls the functions `before` and `after` of a noun before and after the request', async () => {
  const { noun, calls } = createBoxes();
  const acting: typeof noun = {
    ...noun,
    create: {
      ...noun.create,
      flags: (command) => void command.option('--use', 'use it'),
      before: async (given, typed, ids) => void calls.push(['before', given.fields, typed === given, ids]),
      after: async ({ id }, { shown, flags }, { io }) => io.say(`${id} ${shown.format} ${isSet(flags, 'use')}`),
    },
  };
  const words = ['boxes', 'create', '--name', 'x', '--monitors', 'shop', '--use', '--json'];
  const { stderr } = await runCommand([create(acting)], words, { server: shop });
  expect(stderr).toBe('box_1 json true\n');
  expect(calls).toEqual([
    ['before', { name: 'x' }, true, ['mon_1']],
    ['create', { name: 'x', size: 1, monitorIds: ['mon_1'] }],
  ]);
});
