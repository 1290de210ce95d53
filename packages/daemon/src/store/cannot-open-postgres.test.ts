import { createServer, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { databases, type TestDatabase } from '../testing/databases.ts';
import { makeCertificate, makeChain } from '../testing/targets/certificates.ts';
import { startTcpProxy, type TcpProxy } from '../testing/tcp-proxy.ts';
import { silentLog } from '../testing/test-daemon.ts';
import { cannotOpenPostgres } from './cannot-open-postgres.ts';
import { locked } from './failures.ts';
import { openStore } from './open-store.ts';

let database: TestDatabase;
let proxy: TcpProxy;
let withoutTls: string;
const warn = vi.spyOn(process, 'emitWarning');

beforeAll(async () => {
  database = await databases.find(({ name }) => name === 'postgres')!.open();
  const direct = new URL(database.options.databaseUrl!);
  proxy = await startTcpProxy(`${direct.searchParams.get('host')}/.s.PGSQL.5432`);
  withoutTls = `postgres://postgres@127.0.0.1:${proxy.port}${direct.pathname}`;
});

afterAll(async () => {
  expect(warn).not.toHaveBeenCalled();
  warn.mockRestore();
  await proxy.close();
  await database.dispose();
});

const openAt = (databaseUrl: string) => openStore({ ...database.options, databaseUrl, log: silentLog });

test('sslmode=disable connects to a server without TLS', async () => {
  await (await openAt(`${withoutTls}?sslmode=disable`)).close();
});

test.each(['allow', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'])(
  'with sslmode=%s, the error says that the server has no TLS, and the driver prints no warning',
  async (mode) => {
    await expect(openAt(`${withoutTls}?sslmode=${mode}`)).rejects.toThrow(
      `PostgreSQL at 127.0.0.1:${proxy.port} does not speak TLS. Turn on \`ssl\` there, or set \`sslmode=disable\``,
    );
  },
);

test.each(['allow', 'prefer', 'require', 'verify-ca', 'verify-full'])(
  'with sslmode=%s, a connection fails if the certificate is self-signed or for another host',
  async (mode) => {
    await using selfSigned = await tlsServer(await makeCertificate());
    await expect(openAt(`postgres://ada@${selfSigned.host}/x?sslmode=${mode}`)).rejects.toThrow(
      `PostgreSQL at ${selfSigned.host} has a certificate that is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT). Name its authority`,
    );
    const { root, intermediate, leaf } = await makeChain({ hosts: ['db.example'] });
    await using wrongHost = await tlsServer({ key: leaf.key, cert: leaf.cert + intermediate.cert });
    await using folder = await folderWith('ca.pem', root.cert);
    await expect(
      openAt(`postgres://ada@${wrongHost.host}/x?sslmode=${mode}&sslrootcert=${folder.file}`),
    ).rejects.toThrow(
      /^PostgreSQL at 127\.0\.0\.1:\d+ has a certificate of another host \(.*127\.0\.0\.1 is not in.*\)\. Name a host of the/,
    );
  },
);

test('with sslmode=no-verify, the connection is encrypted, but the certificate is not verified', async () => {
  await using server = await tlsServer(await makeCertificate({ hosts: ['db.example'] }));
  await expect(openAt(`postgres://ada@${server.host}/x?sslmode=no-verify`)).rejects.toThrow(/does not answer/);
  expect(server.isEncrypted()).toBe(true);
});

test.each([
  [
    'sslmode=requires',
    'UPTIME_DATABASE_URL has an unknown sslmode "requires". Expected disable, no-verify or verify-full.',
  ],
  [
    'sslmode=Require',
    'UPTIME_DATABASE_URL has an unknown sslmode "Require". Expected disable, no-verify or verify-full.',
  ],
  ['port=abc', 'UPTIME_DATABASE_URL has an invalid port "abc". Expected a number up to 65535.'],
  ['port=70000', 'UPTIME_DATABASE_URL has an invalid port "70000". Expected a number up to 65535.'],
])('openStore refuses an address with %s before it connects', async (query, message) => {
  await expect(openAt(`postgres://ada@127.0.0.1/x?${query}`)).rejects.toThrow(message);
});

test('the error about an invalid address does not contain the password in that address', async () => {
  await expect(openAt('postgres://ada:hush@127.0.0.1:70000/x')).rejects.toThrow(
    /^UPTIME_DATABASE_URL is not a valid address\. Expected postgres:\/\/user:password@host\/database\.$/,
  );
});

test('the error names a certificate file that cannot be read', async () => {
  await expect(openAt(`${withoutTls}?sslmode=require&sslrootcert=/nowhere/ca.pem`)).rejects.toThrow(
    'cannot be used: the file /nowhere/ca.pem in UPTIME_DATABASE_URL cannot be read (ENOENT).',
  );
});

test('the error names the server if the server speaks another protocol', async () => {
  await using server = await listening((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
  await expect(openAt(`postgres://ada@${server.host}/x?sslmode=require`)).rejects.toThrow(
    `PostgreSQL at ${server.host} cannot be used: There was an error establishing an SSL connection`,
  );
});

/** Starts a server that answers a request for TLS with this certificate, and then disconnects. */
async function tlsServer({ key, cert }: { key: string; cert: string }) {
  let encrypted = false;
  const server = await listening((socket) => {
    socket.once('data', () => {
      socket.write('S');
      const secure = new TLSSocket(socket, { isServer: true, key, cert });
      secure.on('error', () => undefined);
      secure.on('secure', () => {
        encrypted = true;
        secure.end();
      });
    });
  });
  return Object.assign(server, { isEncrypted: () => encrypted });
}

async function listening(answer: (socket: Socket) => void) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    // A client that refuses the certificate resets the connection.
    socket.on('error', () => socket.destroy());
    answer(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string')
    throw new Error('The test server does not listen on a TCP port.');
  return {
    host: `127.0.0.1:${address.port}`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function folderWith(name: string, content: string) {
  const folder = await mkdtemp(join(tmpdir(), 'uptime-ca-'));
  const file = join(folder, name);
  await writeFile(file, content);
  return { file, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) };
}

test('if another session keeps a table locked, the error says so', async () => {
  const lock = sql`lock table monitor in access exclusive mode`;
  const { db } = database.store;
  const refused = await db.transaction().execute(async (trx) => {
    await lock.execute(trx);
    const second = db.transaction().execute(async (other) => {
      await sql`set local lock_timeout = '1ms'`.execute(other);
      await lock.execute(other);
    });
    return second.catch((error: unknown) => error);
  });
  expect(cannotOpenPostgres(locked(refused), withoutTls).message).toBe(
    `PostgreSQL at 127.0.0.1:${proxy.port} has a table that another session, such as a backup, keeps locked. ` +
      'Start again when that session has ended.',
  );
});
