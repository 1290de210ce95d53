import { type ChildProcess, spawn, type StdioOptions } from 'node:child_process';
import { constants } from 'node:os';
import type { Context } from '../../context.ts';
import type { Io } from '../../io.ts';

/** The exit codes of a shell for a program that does not exist, and for a program that the user may not run. */
const notFound = 127;
const notRunnable = 126;

/**
 * Runs a job with the streams, environment and folder of this process, and passes signals on to the job. Returns the
 * job's exit code: 128 plus the signal's number if a signal ended the job, 126 or 127 if the job could not be run.
 * Never throws.
 */
export async function runJob(program: string, args: readonly string[], context: Context): Promise<number> {
  const { io, env, cwd, program: own } = context;
  const job = start(program, args, { io, env, cwd });
  if (!(job instanceof Error)) {
    const stop = context.onSignal((signal) => {
      // A terminal sends its signals to the job as well. The job must not get such a signal twice.
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
  // A stream that has a file descriptor goes to the job directly. Any other stream, as in tests, goes through a pipe.
  const stdio: StdioOptions = streams.map((stream) => descriptorOf(stream) ?? 'pipe');
  try {
    const job = spawn(program, args, { stdio, env, cwd });
    if (job.stdin) io.stdin.pipe(job.stdin).on('error', () => io.stdin.unpipe());
    job.stdout?.pipe(io.stdout, { end: false });
    job.stderr?.pipe(io.stderr, { end: false });
    return job;
  } catch (error) {
    // `spawn` throws for an empty program name, and for a name with a null character.
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
