import { Readable, Writable } from 'node:stream';
import { createFakeServer, type FakeServer } from '@uptime/sdk/testing';
import type { CliCommand } from '../command.ts';
import { createContext } from '../context.ts';
import { run } from '../run.ts';

/** Options for the run of a single command. */
export interface CommandRun {
  /** Whether the output is a terminal, with 100 columns and 30 lines. */
  terminal?: boolean;
  /** Whether the command can ask questions. */
  interactive?: boolean;
  stdin?: string;
  server?: Pick<FakeServer, 'siteUrl' | 'fetch'>;
  /** The API key in the environment; `null` for a run without a key. */
  apiKey?: string | null;
}

/**
 * Runs a command line in a program that has only these commands. Without `server`, requests go to a new fake server.
 */
export async function runCommand(
  commands: readonly CliCommand[],
  words: readonly string[],
  {
    terminal = false,
    interactive = false,
    stdin = '',
    server = createFakeServer(),
    apiKey = 'uptime_0123456789',
  }: CommandRun = {},
): Promise<{ exit: number; stdout: string; stderr: string }> {
  const output = { stdout: '', stderr: '' };
  const into = (name: keyof typeof output) => {
    const stream = new Writable({
      decodeStrings: false,
      write(chunk: string, _encoding, done) {
        output[name] += chunk;
        done();
      },
    });
    return Object.assign(stream, terminal && { isTTY: true, columns: 100, rows: 30 });
  };
  const context = createContext({
    stdin: Object.assign(Readable.from(stdin === '' ? [] : [Buffer.from(stdin)]), interactive && { isTTY: true }),
    stdout: into('stdout'),
    stderr: into('stderr'),
    cwd: '/',
    env: {
      UPTIME_CONFIG_DIR: '/nonexistent',
      UPTIME_SITE_URL: server.siteUrl,
      NO_COLOR: '1',
      ...(apiKey !== null && { UPTIME_API_KEY: apiKey }),
    },
    fetch: server.fetch,
  });
  return { exit: await run(words, context, commands), ...output };
}
