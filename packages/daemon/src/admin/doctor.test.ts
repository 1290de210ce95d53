import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { sql } from 'kysely';
import { ConfigError } from '../config/config.ts';
import { beginMove } from '../store/database-move.ts';
import { openStore } from '../store/open-store.ts';
import { databases } from '../testing/databases.ts';
import { startOn } from '../testing/run-admin.ts';
import { freePort } from '../testing/targets/free-port.ts';
import { silentLog, type TestDaemon } from '../testing/test-daemon.ts';
import { runDoctor } from './doctor-command.ts';

async function doctor(args: string[], env: Record<string, string> = {}) {
  const lines: string[] = [];
  const isWell = await runDoctor(args, {
    env,
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

describe.each(databases)('uptimed doctor while a daemon runs on $name', (database) => {
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
      'ok regions Every region that monitors use is served, and every probe reports.',
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
      'warning regions Monitors name regions that were never served: "mars". 1 monitor(s) are not checked from there.',
      `warning regions Probe abcdef01 of region "us" is silent: it last reported at ${new Date(seenAt).toISOString()}.`,
    ]);
  });
});

describe('uptimed doctor without a running daemon', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'uptime-doctor-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const linesFor = async (port: string) => (await doctor(['--port', port, '--data-dir', folder])).lines;

  test('doctor reports a failure if no daemon answers and no daemon has used the database', async () => {
    const { isWell, lines } = await doctor(['--port', String(await freePort()), '--data-dir', folder]);
    expect(isWell).toBe(false);
    expect(lines).toEqual([
      expect.stringMatching(
        /^failed daemon No daemon answers at http:\/\/127\.0\.0\.1:\d+ \(ECONNREFUSED\)\. Start it/,
      ),
      expect.stringMatching(/^failed database No daemon has used /),
    ]);
  });

  test("doctor distinguishes a daemon that cannot serve from another program at the daemon's address", async () => {
    expect((await linesFor(await serverWith(503, '{"version":"1.2.3"}')))[0]).toMatch(
      /^failed daemon uptimed 1\.2\.3 answers at \S+, but cannot serve\. Its log has the reason\.$/,
    );
    for (const body of ['<html></html>', '{}', 'null'])
      expect((await linesFor(await serverWith(200, body)))[0]).toMatch(
        /^failed daemon Another program answers at \S+\.$/,
      );
  });

  test('doctor creates no database file, and does not upgrade an older schema', async () => {
    const dataDir = join(folder, 'older');
    await mkdir(dataDir);
    const store = await openStore({ dataDir, log: silentLog });
    await sql`delete from uptime_migration where name = (select max(name) from uptime_migration)`.execute(store.db);
    await store.close();
    const before = await readFile(join(dataDir, 'uptime.db'));
    const { lines } = await doctor(['--port', String(await freePort()), '--data-dir', dataDir]);
    expect(lines[1]).toMatch(/^warning database SQLite in \S+ has the tables of an older version\./);
    expect(await readdir(dataDir)).toEqual(['uptime.db']);
    expect(await readFile(join(dataDir, 'uptime.db'))).toEqual(before);

    await writeFile(join(folder, 'uptime.db'), '', { mode: 0o644 });
    expect((await linesFor('1')).at(-1)).toMatch(/^failed database No daemon has used /);
    expect((await stat(join(folder, 'uptime.db'))).size).toBe(0);
    await rm(join(folder, 'uptime.db'));
  });

  test('doctor says if the data was moved to PostgreSQL, or if a newer version wrote the database', async () => {
    const dataDir = join(folder, 'moved');
    await mkdir(dataDir);
    const store = await openStore({ dataDir, log: silentLog });
    const move = { installation: dataDir, state: 'moved' as const, renewed_at: 0, last_ping: null, move: 'move_1' };
    await beginMove(store.db, move);
    const last = async () => (await doctor(['--port', '1', '--data-dir', dataDir])).lines.at(-1);
    expect(await last()).toMatch(/^failed database The data of this folder was moved to PostgreSQL\./);
    await sql`insert into uptime_migration (name, timestamp) values ('9999-later', '')`.execute(store.db);
    expect(await last()).toMatch(/^failed database A newer version of uptime wrote the database/);
    await store.close();
  });

  test('if PostgreSQL does not answer, doctor reports the error code of the connection', async () => {
    const port = await freePort();
    const { isWell, lines } = await doctor(['--port', '1'], {
      UPTIME_DATABASE_URL: `postgres://u@127.0.0.1:${port}/uptime`,
    });
    expect(isWell).toBe(false);
    expect(lines.at(-1)).toMatch(/^failed database PostgreSQL at \S+ accepts no connections \(ECONNREFUSED\)\./);
  });

  test('doctor refuses invalid settings and unknown flags, and its help has an example', async () => {
    await expect(doctor(['--port', 'x'])).rejects.toThrow(ConfigError);
    await expect(doctor(['--nonsense'])).rejects.toThrow(ConfigError);
    expect((await doctor(['--help'])).lines[0]).toContain('uptimed doctor --data-dir /var/lib/uptimed');
  });
});
