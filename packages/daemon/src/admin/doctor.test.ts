import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { ConfigError } from '../config/config.ts';
import { databases } from '../testing/databases.ts';
import { startOn } from '../testing/run-admin.ts';
import { freePort } from '../testing/targets/free-port.ts';
import type { TestDaemon } from '../testing/test-daemon.ts';
import { runDoctor } from './doctor-command.ts';

async function doctor(args: string[], env: Record<string, string> = {}) {
  const lines: string[] = [];
  const isWell = await runDoctor(args, {
    env,
    now: Date.now,
    paint: (_, text) => text,
    print: (line) => void lines.push(line.replace(/ {2,}/g, ' ')),
  });
  return { isWell, lines };
}

/** A server on this machine that gives every request the same response. Returns its port. */
async function serverWith(status: number, body: string): Promise<string> {
  const server = createServer((_, response) => response.writeHead(status).end(body));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise<void>((resolve) => void server.close(() => resolve())));
  return String((server.address() as AddressInfo).port);
}

describe.each(databases)('while a daemon runs on $name', (database) => {
  let daemon: TestDaemon;
  let place: Record<string, string>;
  beforeAll(async () => {
    ({ daemon, place } = await startOn(database));
  });
  afterAll(() => daemon.close());

  test('doctor names a silent probe and a region that nothing serves', async () => {
    const port = new URL(daemon.url).port;
    const well = await doctor(['--port', port], place);
    expect(well).toMatchObject({ isWell: true });
    expect(well.lines).toEqual([
      expect.stringMatching(/^ok daemon uptimed \S+ serves at http:\/\/127\.0\.0\.1:\d+\.$/),
      expect.stringMatching(/^ok database The database opens: (?:SQLite in \S+|PostgreSQL)\.$/),
      'ok regions Every role and every region is served.',
    ]);

    const monitor = { type: 'tcp', name: 'a', host: '127.0.0.1', port: 9, regions: ['mars'] };
    expect((await daemon.request('POST', '/api/monitors', monitor)).status).toBe(201);
    const token = await daemon.request('POST', '/api/probes', { region: 'us' }, { cookie: daemon.cookie });
    const { id } = token.body as { id: string };
    const seenAt = Date.now() - 60_000;
    await daemon.store.write(async (trx) => {
      const us = await trx.selectFrom('region').select('id').where('name', '=', 'us').executeTakeFirstOrThrow();
      const row = {
        name: 'abcdef0123456789',
        token: id,
        region: us.id,
        version: '1',
        first_seen_at: seenAt,
        seen_at: seenAt,
        queued: 0,
      };
      await trx.insertInto('probe').values(row).execute();
    });
    const { isWell, lines } = await doctor(['--port', port], place);
    expect(isWell).toBe(true);
    expect(lines.slice(2)).toEqual([
      'warning regions No daemon or probe checks from region "mars", and 1 monitor(s) use it.',
      `warning regions Probe abcdef01 of region "us" is silent: it last reported at ${new Date(seenAt).toISOString()}.`,
    ]);
  });
});

describe('without a running daemon', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'uptime-doctor-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const linesFor = async (port: string) => (await doctor(['--port', port, '--data-dir', folder])).lines;

  test('doctor fails if no daemon answers and the database was never used', async () => {
    const { isWell, lines } = await doctor(['--port', String(await freePort()), '--data-dir', folder]);
    expect(isWell).toBe(false);
    expect(lines).toEqual([
      expect.stringMatching(
        /^failed daemon No daemon answers at http:\/\/127\.0\.0\.1:\d+ \(ECONNREFUSED\)\. Start it/,
      ),
      expect.stringMatching(/^failed database No daemon has used /),
    ]);
  });

  test('doctor tells a daemon that cannot serve from another program at its address', async () => {
    expect((await linesFor(await serverWith(503, '{"version":"1.2.3"}')))[0]).toMatch(
      /^failed daemon uptimed 1\.2\.3 answers at \S+, but cannot serve\. Its log has the reason\.$/,
    );
    for (const body of ['<html></html>', '{}', 'null'])
      expect((await linesFor(await serverWith(200, body)))[0]).toMatch(
        /^failed daemon Another program answers at \S+\.$/,
      );
  });

  test('doctor refuses invalid settings and unknown flags, and its help names an example', async () => {
    await expect(doctor(['--port', 'x'])).rejects.toThrow(ConfigError);
    await expect(doctor(['--nonsense'])).rejects.toThrow(ConfigError);
    expect((await doctor(['--help'])).lines[0]).toContain('uptimed doctor --data-dir /var/lib/uptimed');
  });
});
