import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { Pooler } from './pooled-postgres.ts';

/**
 * Starts a pooler in transaction mode on loopback. The PostgreSQL behind the pooler must accept sessions without a
 * password. The pooler has two sessions for each database. It gives each transaction to the session that has been free
 * for longest, and never resets a session. Like PgBouncer, the pooler answers the start of a connection itself.
 */
export async function startTransactionPooler(socketFolder: string): Promise<Pooler> {
  const pools = new Map<string, Pool>();
  const open = new Set<Socket>();
  const server = createServer({ noDelay: true }, (socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
    socket.on('error', () => socket.destroy());
    serveClient(socket, (startup) => {
      const key = startup.toString('latin1');
      let pool = pools.get(key);
      if (!pool) pools.set(key, (pool = createPool(`${socketFolder}/.s.PGSQL.5432`, startup)));
      return pool;
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      const ended = once(server, 'close');
      server.close();
      for (const socket of open) socket.destroy();
      await Promise.all([...pools.values()].map((pool) => pool.close()));
      await ended;
    },
  };
}

const sessionsOfPool = 2;

interface Pool {
  /** Resolves with a free session. */
  take(): Promise<Session>;
  give(session: Session): void;
  /** Ends a session whose client left in the middle of a transaction. */
  discard(session: Session): void;
  close(): Promise<void>;
}

interface Session {
  socket: Socket;
  /** The messages with which the server answered the start of the session: authentication and parameters. */
  greeting: Buffer[];
  /** Gets each message of the server. */
  onMessage: (message: Buffer) => void;
}

function createPool(path: string, startup: Buffer): Pool {
  const all = new Set<Promise<Session>>();
  const free: Session[] = [];
  const waiting: ((session: Session) => void)[] = [];
  const open = () => {
    const opened = openSession(path, startup);
    all.add(opened);
    // Opening fails, for example, if the database does not exist. The clients then see their connections end.
    opened.catch(() => all.delete(opened));
    return opened;
  };
  const give = (session: Session) => {
    const next = waiting.shift();
    if (next) next(session);
    else free.push(session);
  };
  return {
    take() {
      if (all.size < sessionsOfPool) return open();
      // The session that has been free for longest.
      const session = free.shift();
      return session ? Promise.resolve(session) : new Promise((resolve) => waiting.push(resolve));
    },
    discard(session) {
      session.socket.destroy();
      for (const one of all) void one.then((opened) => opened === session && all.delete(one));
      // Opens another session for a client that waits.
      if (waiting.length > 0) void open().then(give);
    },
    give,
    async close() {
      for (const session of all) (await session).socket.destroy();
    },
  };
}

/** Opens a session. Resolves when the server is ready for the first statement. */
async function openSession(path: string, startup: Buffer): Promise<Session> {
  const socket = connect(path);
  const ready = Promise.withResolvers<void>();
  const session: Session = {
    socket,
    greeting: [],
    onMessage(message) {
      const type = typeOf(message);
      if (type === 'S' || type === 'R') session.greeting.push(message);
      if (type === 'Z') ready.resolve();
      if (type === 'E') ready.reject(new Error(message.toString('latin1')));
    },
  };
  socket.on('error', ready.reject);
  readMessages(socket, (message) => session.onMessage(message));
  socket.write(startup);
  await ready.promise;
  return session;
}

/**
 * Serves one client. From the first message of a transaction to the end of the transaction, the messages of the client
 * go to one session.
 */
function serveClient(socket: Socket, poolOf: (startup: Buffer) => Pool): void {
  let pool: Pool | undefined;
  let session: Session | undefined;
  /** Statements that the server has not finished. */
  let unfinished = 0;
  const received: Buffer[] = [];
  let forwarding = false;

  const fromServer = (message: Buffer) => {
    socket.write(message);
    if (typeOf(message) !== 'Z') return;
    unfinished--;
    if (unfinished > 0 || message.toString('latin1', 5, 6) !== 'I') return;
    pool!.give(session!);
    session = undefined;
  };
  const forward = async () => {
    if (forwarding) return;
    forwarding = true;
    for (let message = received.shift(); message; message = received.shift()) {
      if (!session) {
        session = await pool!.take();
        session.onMessage = fromServer;
      }
      if (/[QS]/.test(typeOf(message))) unfinished++;
      session.socket.write(message);
    }
    forwarding = false;
  };

  socket.on('close', () => {
    if (session) pool!.discard(session);
  });
  readMessages(
    socket,
    (message, isFirst) => {
      if (isFirst) {
        pool = poolOf(message);
        greet(socket, pool).catch(() => socket.destroy());
      } else if (typeOf(message) !== 'X') {
        received.push(message);
        void forward();
      }
    },
    true,
  );
}

/** Answers the start of a connection as a server would. The answer contains a process id that no server has. */
async function greet(socket: Socket, pool: Pool): Promise<void> {
  const session = await pool.take();
  pool.give(session);
  const key = Buffer.from([75, 0, 0, 0, 12, 127, 255, 255, 255, 0, 0, 0, 1]);
  socket.write(Buffer.concat([...session.greeting, key, Buffer.from([90, 0, 0, 0, 5, 73])]));
}

const typeOf = (message: Buffer) => message.toString('latin1', 0, 1);

/** Splits the received bytes into messages. The first message of a client has no type. */
function readMessages(
  socket: Socket,
  onMessage: (message: Buffer, isFirst: boolean) => void,
  hasStartup = false,
): void {
  let rest: Buffer = Buffer.alloc(0);
  let isFirst = hasStartup;
  socket.on('data', (data: Buffer) => {
    rest = Buffer.concat([rest, data]);
    for (;;) {
      const typeLength = isFirst ? 0 : 1;
      if (rest.length < typeLength + 4) return;
      const length = typeLength + rest.readUInt32BE(typeLength);
      if (rest.length < length) return;
      onMessage(rest.subarray(0, length), isFirst);
      rest = rest.subarray(length);
      isFirst = false;
    }
  });
}
