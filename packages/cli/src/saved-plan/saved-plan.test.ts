import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { planned, refuseStalePlans } from '../testing/stale-plans.ts';

const { open, out, secret, writes } = planned;

test('--out writes a plan without changing the server; apply then carries out the plan without a question, and only once', async () => {
  await using session = await open();
  const before = writes(session);
  const written = await session.uptime(out);
  expect(written).toMatchObject({ exit: 0 });
  expect(written.stdout).toContain('Plan: 3 to create, 1 to update, 0 unchanged.');
  expect(writes(session)).toBe(before);
  const text = await readFile(join(session.cwd, 'plan.json'), 'utf8');
  expect(text).not.toContain(secret);
  expect(Object.keys((JSON.parse(text) as { madeFrom: { variables: object } }).madeFrom.variables)).toEqual([
    'MAIL',
    'TOKEN',
  ]);

  const applied = await session.uptime(['apply', 'plan.json']);
  expect(applied, applied.stderr).toMatchObject({ exit: 0 });
  expect(applied.stderr).toContain('Applied: 4 changed');
  const again = await session.uptime(['apply', 'plan.json']);
  expect(again.exit).toBe(5);
  expect(again.stderr).toContain('PLAN_STALE');
  expect(again.stderr).toContain('on the server, monitor "Database" (db) was changed: ');
  expect(again.stderr).toContain('on the server, channel "Ops" (ops) was created');
  expect((await session.uptime(out)).stdout).toContain('Nothing to do: 4 unchanged.');
  expect(await session.uptime(['apply', 'plan.json'])).toMatchObject({ exit: 0 });
});

test('apply refuses a saved plan if the server, a file or a variable has changed since the plan was made', () =>
  refuseStalePlans(12));

test('apply needs the variables of a saved plan again, and the error names missing variables', async () => {
  await using session = await open();
  await session.uptime(out);
  delete session.env['TOKEN'];
  const { exit, stderr } = await session.uptime(['apply', 'plan.json']);
  expect(exit).toBe(2);
  expect(stderr).toContain('TOKEN is not set; nothing was changed');
  expect(stderr).toContain('a plan holds no secrets: set MAIL, TOKEN and apply it again');
});

test.each([
  [
    'a changed plan',
    (text: string) => text.replace('"unchanged": 0', '"unchanged": 1'),
    'was changed after the plan was made',
  ],
  [
    'a plan of a later version',
    (text: string) => text.replace('"version": 2', '"version": 3'),
    'has the format version 3',
  ],
  ['half a plan', (text: string) => text.slice(0, 500), 'is not a plan of'],
  ['another file', () => '{"name":"uptime"}', 'is not a plan of'],
  ['no JSON', () => 'null', 'is not a plan of'],
])('apply refuses %s with an error message', async (_name, change, sentence) => {
  await using session = await open();
  await session.uptime(out);
  await session.write('plan.json', change(await readFile(join(session.cwd, 'plan.json'), 'utf8')));
  const before = writes(session);
  const { exit, stderr } = await session.uptime(['apply', 'plan.json', '--yes']);
  expect(exit).toBe(2);
  expect(stderr).toContain(`plan.json ${sentence}`);
  expect(writes(session)).toBe(before);
});

test.each([
  ['apply nowhere.json', 'nowhere.json does not exist'],
  ['apply uptime/monitors.yaml', 'is a manifest, and not a plan'],
  ['apply plan.json -f uptime', 'a plan is applied as it was made, so -f cannot be added'],
  ['apply plan.json --prune --out b.json', 'so --prune and --out cannot be added'],
  ['apply -f - --out plan.json', 'standard input cannot be'],
  ['apply -f uptime --out nowhere/plan.json', 'nowhere/plan.json cannot be written'],
])('the command line %s leads to an error', async (line, sentence) => {
  await using session = await open();
  const { exit, stderr } = await session.uptime(line.split(' '));
  expect(exit).not.toBe(0);
  expect(stderr).toContain(sentence);
});

test('a saved plan keeps the flags of its command: it prunes, and needs --allow-deletes for many deletions', async () => {
  await using session = await open();
  for (let i = 0; i < 10; i++) await session.uptime(`monitors create --name m${i} --type heartbeat`.split(' '));
  await session.uptime([...out, '--prune']);
  expect(await session.uptime(['apply', 'plan.json'])).toMatchObject({ exit: 2 });
  expect(await session.uptime(['apply', 'plan.json', '--allow-deletes'])).toMatchObject({ exit: 0 });
  expect((await session.uptime(['monitors', 'list', '-q'])).stdout.trim().split('\n')).toHaveLength(2);
});

test('apply refuses a saved plan that was made for another project', async () => {
  await using session = await open();
  await session.uptime(out);
  await using other = await open();
  await writeFile(join(other.cwd, 'plan.json'), await readFile(join(session.cwd, 'plan.json'), 'utf8'));
  const fetch: typeof globalThis.fetch = async (input, init) =>
    new URL(input as string).pathname.includes('/projects/')
      ? Response.json({ id: 'prj_2', name: 'Other' })
      : other.server.fetch(input, init);
  const { exit, stderr } = await other.uptime(['apply', 'plan.json'], { fetch });
  expect(exit).toBe(2);
  expect(stderr).toContain('the plan is for another project; nothing was changed');
});
