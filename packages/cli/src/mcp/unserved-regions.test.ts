import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDaemon, type TestDaemon } from '../../../daemon/src/testing/test-daemon.ts';
import { openAccount } from '../testing/account.ts';
import type { Session, SessionServer } from '../testing/session.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await createTestDaemon({ env: { UPTIME_REGION: 'eu-west' } });
});
afterAll(() => daemon.close());

interface Answer {
  data: { name?: string; notes?: string[] };
  warnings?: string[];
}

/** Calls tools of the MCP server one after the other. Returns their answers. */
async function call(
  session: Session<SessionServer>,
  calls: [name: string, args: object][],
  options: { fetch?: typeof fetch } = {},
): Promise<Answer[]> {
  const hello = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
  const messages = [
    { method: 'initialize', params: hello },
    ...calls.map(([name, args]) => ({ method: 'tools/call', params: { name, arguments: args } })),
  ];
  const stdin = messages.map((message, id) => `${JSON.stringify({ jsonrpc: '2.0', id, ...message })}\n`).join('');
  const { stdout } = await session.uptime(['mcp', '--allow-writes'], { stdin, ...options });
  const results = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { id: number; result: { content?: [{ text: string }] } })
    .toSorted((a, b) => a.id - b.id)
    .slice(1);
  return results.map(({ result }) => JSON.parse(result.content![0].text) as Answer);
}

const shop = { type: 'ping', name: 'Shop', host: 'localhost' };
const regions = ['eu-west', 'mars'];

test('the notes of the tool plan contain the warnings that `uptime apply` prints', async () => {
  await using session = await openAccount(daemon, 'mcp-plan');
  const item = '{ name: Shop, type: ping, host: localhost, regions: [eu-west, mars] }';
  await session.write('monitors.yaml', `monitors:\n  - ${item}\n`);
  const { stderr } = await session.uptime(['apply', '--dry-run']);
  const [planned] = await call(session, [['plan', {}]]);
  expect(planned!.data.notes).toContainEqual(expect.stringContaining('serves the region "mars"'));
  expect(planned!.data.notes).toContainEqual(expect.stringContaining('no alert rule watches "Shop"'));
  expect(stderr).toContain(planned!.data.notes!.join('\n'));
});

test('create_monitor and update_monitor warn about unserved regions in the words of the command line', async () => {
  await using session = await openAccount(daemon, 'mcp-writes');
  const flags = ['--name', 'Typed', '--type', 'ping', '--host', 'localhost', '--regions', regions.join(',')];
  const { stderr } = await session.uptime(['monitors', 'create', ...flags]);
  const warning = /^warning: (no daemon .*"mars".*)$/m.exec(stderr)![1];
  const answers = await call(session, [
    ['create_monitor', { fields: { ...shop, regions } }],
    ['create_monitor', { fields: { ...shop, name: 'Served', regions: ['eu-west'] } }],
    ['create_monitor', { fields: { ...shop, name: 'Paused', regions, paused: true } }],
    ['update_monitor', { name: 'Served', fields: { regions } }],
    ['update_monitor', { name: 'Shop', fields: { interval: 90 } }],
  ]);
  expect(answers.map(({ data, warnings }) => [data.name, warnings])).toEqual([
    ['Shop', [warning]],
    ['Served', undefined],
    ['Paused', undefined],
    ['Served', [warning]],
    ['Shop', undefined],
  ]);
});

test('if the regions cannot be read, create_monitor still answers with the monitor', async () => {
  await using session = await openAccount(daemon, 'mcp-refused');
  const refuseRegions: typeof fetch = async (input, init) =>
    new URL(new Request(input).url).pathname === '/api/regions'
      ? Response.json({ detail: 'No.' }, { status: 403 })
      : fetch(input, init);
  const [created] = await call(session, [['create_monitor', { fields: { ...shop, regions } }]], {
    fetch: refuseRegions,
  });
  expect(created).toMatchObject({
    data: { name: 'Shop' },
    warnings: [expect.stringContaining('the change was made, but the warnings about it could not be read: ')],
  });
});
