import { ApiError } from '@uptime/sdk';
import { expect, test } from 'vitest';
import { isSet } from '../flags/raw-flags.ts';
import { createBoxes } from '../testing/boxes.ts';
import { runCommand } from '../testing/run-command.ts';
import { list } from './list.ts';

const two = () => [
  { id: 'box_1', name: 'Large', size: 9, secret: 'hush' },
  { id: 'box_2', name: 'Small', size: 1 },
];

test('in a pipe, list prints every column; on a terminal, it leaves out the ids', async () => {
  const { noun } = createBoxes(two());
  const piped = await runCommand([list(noun)], ['boxes', 'list']);
  expect(piped).toEqual({ exit: 0, stdout: 'NAME   SIZE  ID\nLarge  9     box_1\nSmall  1     box_2\n', stderr: '' });
  const seen = await runCommand([list(noun)], ['boxes', 'list'], { terminal: true });
  expect(seen.stdout).toBe('NAME   SIZE\nLarge  9\nSmall  1\n');
  const wide = await runCommand([list(noun)], ['boxes', 'list', '--wide'], { terminal: true });
  expect(wide.stdout).toContain('box_2');
});

test('as JSON and YAML, list prints the rows that `data` prepared; with --quiet, it prints only ids', async () => {
  const { noun } = createBoxes(two());
  const { stdout } = await runCommand([list(noun)], ['boxes', 'list', '--json']);
  expect(JSON.parse(stdout)).toEqual([
    { id: 'box_1', name: 'Large', size: 9 },
    { id: 'box_2', name: 'Small', size: 1 },
  ]);
  expect((await runCommand([list(noun)], ['boxes', 'list', '-o', 'yaml'])).stdout).not.toContain('hush');
  expect((await runCommand([list(noun)], ['boxes', 'list', '-q'])).stdout).toBe('box_1\nbox_2\n');
});

test('for an empty list, list prints a message on standard error, and with --json an empty JSON list', async () => {
  const { noun } = createBoxes();
  expect(await runCommand([list(noun)], ['boxes', 'list'])).toEqual({ exit: 0, stdout: '', stderr: 'No boxes.\n' });
  expect(await runCommand([list(noun)], ['boxes', 'list', '--json'])).toMatchObject({ stdout: '[]\n' });
  expect(await runCommand([list(noun)], ['boxes', 'list', '--quiet'])).toMatchObject({ stdout: '', stderr: '' });
});

test('a noun may add flags that choose the rows of list, and its own messages about empty and shortened lists', async () => {
  const { noun } = createBoxes(two());
  const choosing = {
    ...noun,
    list: {
      ...noun.list,
      flags: (command: Parameters<typeof noun.fields.declare>[0]) => void command.option('--large', 'only large ones'),
      choose: (flags: Record<string, unknown>) => ({
        rows: (all: ReturnType<typeof two>, terminal: boolean) => {
          const fitting = isSet(flags, 'large') ? all.filter(({ size }) => size > 10) : all;
          return terminal ? fitting.slice(0, 1) : fitting;
        },
        empty: (all: readonly unknown[]) => `None of ${all.length} is large.`,
        cut: (shown: readonly unknown[], all: readonly unknown[]) => `${shown.length} of ${all.length} are shown.`,
      }),
    },
  };
  expect(await runCommand([list(choosing)], ['boxes', 'list', '--large'])).toMatchObject({
    exit: 0,
    stdout: '',
    stderr: 'None of 2 is large.\n',
  });
  const seen = await runCommand([list(choosing)], ['boxes', 'list'], { terminal: true });
  expect(seen.stdout).toBe('NAME   SIZE\nLarge  9\n');
  expect(seen.stderr).toBe('1 of 2 are shown.\n');
  expect((await runCommand([list(choosing)], ['boxes', 'list'])).stderr).toBe('');
});

test('list reports a wrong flag before it reads from the server', async () => {
  const { noun, calls } = createBoxes(two());
  const { exit, stderr } = await runCommand([list(noun)], ['boxes', 'list', '-o', 'xml']);
  expect(exit).toBe(2);
  expect(stderr).toContain('Allowed choices are table, json, yaml');
  expect(calls).toEqual([]);
});

test('a table shows the names of other resources in place of their ids, and list reads these names only for a table', async () => {
  const named = (rows: ReturnType<typeof two>) => {
    const { noun } = createBoxes(rows.map((row) => ({ ...row, monitorIds: ['mon_x'] })));
    const columns: typeof noun.list.columns = ({ nameOf }) => [
      { title: 'MONITORS', value: ({ monitorIds = [] }) => monitorIds.map(nameOf).join(', ') },
    ];
    return list({ ...noun, list: { ...noun.list, names: ['monitors'], columns } });
  };
  const requests: string[] = [];
  const server = {
    siteUrl: 'http://uptime.test',
    fetch: (async (input: string | URL | Request) => {
      requests.push(new URL(input instanceof Request ? input.url : input).pathname);
      return Response.json([{ id: 'mon_x', key: 'shop', name: 'Shop' }]);
    }) as typeof fetch,
  };
  const { stdout } = await runCommand([named(two())], ['boxes', 'list'], { server });
  expect(stdout).toBe('MONITORS\nshop\nshop\n');
  expect(requests).toEqual(['/api/monitors']);
  await runCommand([named(two())], ['boxes', 'list', '--json'], { server });
  await runCommand([named(two())], ['boxes', 'list', '--quiet'], { server });
  await runCommand([named([])], ['boxes', 'list'], { server });
  expect(requests).toHaveLength(1);
});

test('a noun may print another list on a terminal than in a pipe', async () => {
  const { noun } = createBoxes(two());
  const onTerminal = async (rows: readonly unknown[], wide: boolean) =>
    `${rows.length} boxes, ${wide ? 'wide' : 'narrow'}`;
  const drawn = list({ ...noun, list: { ...noun.list, onTerminal } });
  expect((await runCommand([drawn], ['boxes', 'list', '--wide'], { terminal: true })).stdout).toBe('2 boxes, wide\n');
  expect((await runCommand([drawn], ['boxes', 'list'])).stdout).toContain('NAME');
  const empty = list({ ...createBoxes().noun, list: { ...createBoxes().noun.list, onTerminal } });
  expect(await runCommand([empty], ['boxes', 'list'], { terminal: true })).toMatchObject({
    stdout: '',
    stderr: 'No boxes.\n',
  });
});

test('list needs a session if the noun belongs to the account, and otherwise a key', async () => {
  const { noun, calls } = createBoxes(two());
  const { exit, stderr } = await runCommand([list({ ...noun, account: true })], ['boxes', 'list']);
  expect(exit).toBe(4);
  expect(stderr).toContain('this command needs an account');
  expect(await runCommand([list(noun)], ['boxes', 'list'], { apiKey: null })).toMatchObject({ exit: 4 });
  expect(calls).toEqual([]);
});

test('if the server does not know the address of a list, the error names the command that shows the version of the server', async () => {
  const { noun } = createBoxes();
  const init = { status: 404, code: 'not_found', title: 'Not found', detail: 'There is no such address.' } as const;
  const read = () => Promise.reject(new ApiError(init));
  expect(await runCommand([list({ ...noun, list: { ...noun.list, read } })], ['boxes', 'list'])).toEqual({
    exit: 1,
    stdout: '',
    stderr:
      'error: this server does not list boxes (HTTP 404)\n  `uptime doctor` shows whether this is the right server, and its version\n',
  });
});
