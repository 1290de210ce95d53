import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect } from 'vitest';
import { openSession, type Session } from './session.ts';

const secret = 'hush-hush-0123456789';

const manifest = `
monitors:
  - { key: shop, name: Shop, type: http, url: https://shop.example, paused: true, headers: { X-Token: "\${TOKEN}" } }
  - { key: db, name: Database, type: tcp, host: db.example, port: 5432, interval: 120 }
channels:
  - { key: ops, name: Ops, type: email, config: { address: "\${MAIL:-ops@example.com}" } }
alertRules:
  - { key: down, name: Down, monitors: [shop], channels: [ops] }
`;

/**
 * Opens a session with a manifest, and with a server that differs from the manifest. The server has one more monitor,
 * and other values in another monitor.
 */
async function open(): Promise<Session> {
  const session = await openSession();
  session.env['TOKEN'] = secret;
  await mkdir(join(session.cwd, 'uptime'));
  await session.write('uptime/monitors.yaml', manifest);
  for (const words of [
    '--key db --name Database --type tcp --host old.example --port 1',
    '--name Other --type heartbeat',
  ])
    await session.uptime(['monitors', 'create', ...words.split(' ')]);
  return session;
}

const out = ['apply', '-f', 'uptime', '--out', 'plan.json'];
const writes = ({ server }: Session) => server.requests.filter((one) => !one.startsWith('GET ')).length;

/**
 * The parts for a test with a saved plan: a folder with a manifest, the command that makes the plan, a secret, and a
 * count of writes.
 */
export const planned = { open, out, secret, writes };

/** Changes to the server, the files or the environment after a plan was saved. The keys describe them. */
const moves: Record<string, (session: Session, salt: number) => Promise<unknown>> = {
  'creates a monitor': (session, salt) =>
    session.uptime(`monitors create --name new${salt} --type heartbeat`.split(' ')),
  'changes a monitor that the plan changes': (session, salt) =>
    session.uptime(`monitors update db --interval ${200 + salt}`.split(' ')),
  'changes a monitor that the plan does not change': (session, salt) =>
    session.uptime(`monitors update Other --interval ${200 + salt}`.split(' ')),
  'renames a monitor': (session, salt) => session.uptime(`monitors update db --name db${salt}`.split(' ')),
  'deletes a monitor': (session) => session.uptime('monitors delete db --yes'.split(' ')),
  'deletes and creates a monitor': async (session) => {
    await session.uptime('monitors delete Other --yes'.split(' '));
    await session.uptime('monitors create --name Other --type heartbeat'.split(' '));
  },
  'creates a channel': (session, salt) =>
    session.uptime(`channels create --name c${salt} --type email --address c${salt}@example.com`.split(' ')),
  'edits the file': (session, salt) => session.write('uptime/monitors.yaml', `${manifest}# ${salt}\n`),
  'breaks the file': (session, salt) => session.write('uptime/monitors.yaml', `monitors: [${salt}`),
  'adds a file': (session, salt) =>
    session.write(`uptime/more${salt}.yaml`, `monitors: [{ name: n${salt}, type: heartbeat }]\n`),
  'removes the file': ({ cwd }) => rm(join(cwd, 'uptime/monitors.yaml')),
  'changes a variable': async ({ env }, salt) => (env['TOKEN'] = `other-${salt}`),
  'sets a variable with a default': async ({ env }, salt) => (env['MAIL'] = `mail-${salt}@example.com`),
};

/** Makes plans, and changes something after each. Checks that apply refuses each plan before it writes anything. */
export async function refuseStalePlans(count: number): Promise<void> {
  const met = new Set<string>();
  const some = fc.uniqueArray(fc.constantFrom(...Object.keys(moves)), { minLength: 1, maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(some, fc.nat(1000), async (names, salt) => {
      await using session = await open();
      await session.uptime(out);
      for (const name of names) {
        met.add(name);
        await moves[name]!(session, salt);
      }
      const before = writes(session);
      const { exit, stderr } = await session.uptime(['apply', 'plan.json', '--yes']);
      expect(exit, `${names.join(', ')}: ${stderr}`).toBe(5);
      expect(stderr).toContain('PLAN_STALE');
      expect(stderr).not.toContain(secret);
      expect(writes(session)).toBe(before);
    }),
    { numRuns: count },
  );
  expect(met.size).toBeGreaterThan(5);
}
