import { type ChildProcess, spawn, type StdioOptions } from 'node:child_process';
import { constants } from 'node:os';
import type { Context } from '../../context.ts';
import type { Io } from '../../io.ts';

/** What a shell answers for a program that is not there, and for one that may not be run. */
const notFound = 127;
const notRunnable = 126;

/**
 * Runs a program with this one's streams, environment and folder, and answers its exit code: 128 and the signal's
 * number for one that a signal ended, 126 and 127 for one that could not be run. Signals that arrive go to it. Never throws.
 */
export async function runJob(program: string, args: readonly string[], context: Context): Promise<number> {
  const { io, env, cwd, program: own } = context;
  const job = start(program, args, { io, env, cwd });
  if (!(job instanceof Error)) {
    const stop = context.onSignal((signal) => {
      // What a terminal sends goes to the job as well: it must not come twice.
      if (!(io.stdin.isTTY && fromTerminal.includes(signal))) job.kill(signal);
    });
    try {
      return await ended(job);
    } catch (error) {
      return refused(program, error as NodeJS.ErrnoException, { io, own });
    } finally {
      stop();
    }
  }
  return refused(program, job, { io, own });
}

const fromTerminal: readonly NodeJS.Signals[] = ['SIGINT', 'SIGQUIT'];

function start(
  program: string,
  args: readonly string[],
  { io, env, cwd }: Pick<Context, 'io' | 'env' | 'cwd'>,
): ChildProcess | NodeJS.ErrnoException {
  const streams = [io.stdin, io.stdout, io.stderr] as const;
  // A stream of the process is handed over as it is; any other (as in a test) is connected by a pipe.
  const stdio: StdioOptions = streams.map((stream) => descriptorOf(stream) ?? 'pipe');
  try {
    const job = spawn(program, args, { stdio, env, cwd });
    if (job.stdin) io.stdin.pipe(job.stdin).on('error', () => io.stdin.unpipe());
    job.stdout?.pipe(io.stdout, { end: false });
    job.stderr?.pipe(io.stderr, { end: false });
    return job;
  } catch (error) {
    // An empty name, or one with a null character, is thrown.
    return error as NodeJS.ErrnoException;
  }
}

const descriptorOf = (stream: object): number | undefined =>
  'fd' in stream && typeof stream.fd === 'number' ? stream.fd : undefined;

const ended = (job: ChildProcess): Promise<number> =>
  new Promise((resolve, reject) => {
    job.once('error', reject);
    job.once('close', (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)));
  });

function refused(program: string, error: NodeJS.ErrnoException, { io, own }: { io: Io; own: string }): number {
  const missing = error.code === 'ENOENT';
  io.say(`${own}: ${program}: ${missing ? 'no such program' : `cannot be run (${error.code ?? error.message})`}`);
  return missing ? notFound : notRunnable;
}
