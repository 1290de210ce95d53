import type { Logger } from './deps.ts';

export interface LogOptions {
  level: 'debug' | 'info' | 'warn' | 'error' | 'silent';
  format: 'json' | 'pretty';
  write: (line: string) => void;
}

const levels = ['debug', 'info', 'warn', 'error'] as const;

/** Creates a logger that writes one line for each event: as JSON for machines, or as text for people. */
export function createLog({ level, format, write }: LogOptions): Logger {
  const minLevel = level === 'silent' ? levels.length : levels.indexOf(level);
  const line = format === 'json' ? jsonLine : prettyLine;
  const at =
    (of: (typeof levels)[number]) =>
    (fields: object, message: string): void => {
      if (levels.indexOf(of) >= minLevel) write(`${line(of, fields, message)}\n`);
    };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

const jsonLine = (level: string, fields: object, message: string): string =>
  escaped(JSON.stringify({ time: new Date().toISOString(), level, message, ...shown(fields) }));

function prettyLine(level: string, fields: object, message: string): string {
  const { stack, ...rest } = shown(fields);
  const pairs = Object.entries(rest).map(
    ([name, value]) => `${name}=${escaped(typeof value === 'string' ? value : JSON.stringify(value))}`,
  );
  const time = new Date().toISOString().slice(11, 19);
  const line = [`${time} ${level.padEnd(5)} ${escaped(message)}`, ...pairs].join(' ');
  // A stack contains the message of the error. The lines of the stack are indented, so that a line of the message
  // cannot look like a line of the log.
  return stack === undefined ? line : [line, ...stack.split('\n').map((one) => `    ${escaped(one)}`)].join('\n');
}

/**
 * Escapes characters in foreign text that move a terminal's cursor or start a line. In contrast to `plainLine`, it
 * keeps the exact text, because operators search the log.
 */
const escaped = (text: string): string =>
  text.replaceAll(/[\p{Cc}\u2028\u2029]/gu, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`);

interface Shown extends Record<string, unknown> {
  stack?: string | undefined;
}

/** Returns the fields to write. The field `err` becomes the message of the error, and the stack is added. */
function shown(fields: object): Shown {
  const { err, ...rest } = fields as { err?: unknown };
  if (err === undefined) return rest;
  return err instanceof Error ? { ...rest, err: err.message, stack: err.stack } : { ...rest, err };
}

/**
 * Creates the log of this process, on standard error. Without a given format, it is `pretty` on a terminal and `json`
 * elsewhere.
 */
export function createProcessLog(level: LogOptions['level'], format: LogOptions['format'] | null): Logger {
  const { stderr } = process;
  return createLog({
    level,
    format: format ?? (stderr.isTTY ? 'pretty' : 'json'),
    write: (line) => stderr.write(line),
  });
}
