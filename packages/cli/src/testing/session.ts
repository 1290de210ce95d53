import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { createFakeServer, type FakeServer } from '@uptime/sdk/testing';
import { createContext } from '../context.ts';
import { run } from '../run.ts';

/** The server of a session: a fake server, or the address, key and fetch of a real server. */
export type SessionServer = Pick<FakeServer, 'siteUrl' | 'apiKey' | 'fetch'>;

/** A folder with an environment, in which command lines run against a server. */
export interface Session<S extends SessionServer = FakeServer> extends AsyncDisposable {
  server: S;
  cwd: string;
  env: Record<string, string>;
  uptime(words: string[], options?: RunOptions): Promise<Ended>;
  write(path: string, content: string): Promise<void>;
}

/** Options for the run of one command line. */
export interface RunOptions {
  fetch?: typeof fetch;
  signal?: AbortSignal;
  stdin?: string;
  program?: 'uptime' | 'uptimectl';
  pingAfterMs?: number;
}

export interface Ended {
  exit: number;
  stdout: string;
  stderr: string;
}

/** Opens a session whose environment contains the API key of its server. */
export async function openSession(): Promise<Session>;
export async function openSession<S extends SessionServer>(server: S): Promise<Session<S>>;
export async function openSession(server: SessionServer = createFakeServer()): Promise<Session<SessionServer>> {
  const cwd = await mkdtemp(join(tmpdir(), 'uptime-cli-'));
  const env = { UPTIME_CONFIG_DIR: cwd, UPTIME_SITE_URL: server.siteUrl, UPTIME_API_KEY: server.apiKey };
  return {
    server,
    cwd,
    env,
    async uptime(words, { fetch = server.fetch, stdin = '', ...options } = {}) {
      const printed = { stdout: '', stderr: '' };
      const into = (name: keyof typeof printed) =>
        new Writable({
          decodeStrings: false,
          write(chunk: string, _encoding, done) {
            printed[name] += chunk;
            done();
          },
        });
      const context = createContext({
        env,
        cwd,
        stdin: Readable.from(stdin === '' ? [] : [Buffer.from(stdin)]),
        stdout: into('stdout'),
        stderr: into('stderr'),
        fetch,
        ...options,
      });
      return { exit: await run(words, context), ...printed };
    },
    write: (path, content) => writeFile(join(cwd, path), content),
    [Symbol.asyncDispose]: () => rm(cwd, { recursive: true, force: true }),
  };
}
