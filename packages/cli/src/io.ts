import { Chalk, type ChalkInstance } from 'chalk';
import type { Readable, Writable } from 'node:stream';

/** The names under which the program can be installed. */
export type ProgramName = 'uptime' | 'uptimectl';

/** The streams of a command. Data is printed to standard output, and messages to standard error. */
export interface Io {
  stdin: Readable & { isTTY?: boolean };
  stdout: Writable & { isTTY?: boolean; columns?: number; rows?: number };
  stderr: Writable & { isTTY?: boolean; columns?: number };
  /** Whether questions can be asked: standard input and standard error are terminals, and `CI` is not set. */
  interactive: boolean;
  /** Colours for standard output and for standard error. */
  out: ChalkInstance;
  err: ChalkInstance;
  /** Writes data and a line break to standard output. */
  print: (text: string) => void;
  /** Replaces `uptime` in the command lines of a text by the name under which the program was started. */
  named: (text: string) => string;
  /** Writes a message and a line break to standard error. Names the program in the message as `named` does. */
  say: (text: string) => void;
}

export interface Streams {
  stdin: Io['stdin'];
  stdout: Io['stdout'];
  stderr: Io['stderr'];
}

/**
 * Creates the streams of a command. The colours of a stream depend on NO_COLOR, FORCE_COLOR, and whether the stream is
 * a terminal.
 */
export function createIo(
  streams: Streams,
  env: Record<string, string | undefined>,
  program: ProgramName = 'uptime',
): Io {
  const { stdin, stdout, stderr } = streams;
  const named = (text: string) =>
    program === 'uptime' ? text : text.replaceAll(/(?<=`|\$ |\$\(|Usage: |Topics: |, )uptime(?= |`)/g, program);
  return {
    stdin,
    stdout,
    stderr,
    interactive: stdin.isTTY === true && stderr.isTTY === true && !env['CI'],
    out: new Chalk({ level: colourLevel(stdout, env) }),
    err: new Chalk({ level: colourLevel(stderr, env) }),
    print: (text) => void stdout.write(`${text}\n`),
    named,
    say: (text) => void stderr.write(`${named(text)}\n`),
  };
}

function colourLevel(stream: { isTTY?: boolean }, env: Record<string, string | undefined>): 0 | 1 {
  if (env['NO_COLOR']) return 0;
  if (env['FORCE_COLOR'] && env['FORCE_COLOR'] !== '0') return 1;
  return stream.isTTY && env['TERM'] !== 'dumb' ? 1 : 0;
}

/** Reads a whole stream as text, without its last line break. */
export async function readAll(stream: Readable): Promise<string> {
  return (await readBytes(stream)).toString('utf8').replace(/\r?\n$/, '');
}

/**
 * Reads a whole stream. If the stream is longer than `maxBytes`, returns only its first bytes: at least one byte more
 * than `maxBytes`, so that the caller sees that the stream is too long.
 */
export async function readBytes(stream: Readable, maxBytes = Infinity): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    const bytes = Buffer.from(chunk as Uint8Array | string);
    chunks.push(bytes);
    size += bytes.length;
    if (size > maxBytes) break;
  }
  return Buffer.concat(chunks);
}
