import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { createContext } from '../context.ts';
import { run } from '../run.ts';

/** The folder and the environment in which the steps of a transcript run. */
export interface World {
  /** The folder in which the commands run. */
  cwd: string;
  env: Record<string, string>;
  /** Each `pattern` matches text that differs from run to run. In transcripts, `word` stands in its place. */
  masks: readonly (readonly [pattern: RegExp | string, word: string])[];
}

/**
 * Runs the steps of a transcript. Returns the transcript with the actual output. If every output equals the recorded
 * output, the result equals `text`.
 *
 * A transcript is a text of steps. Each step begins with one of:
 *
 * - `$ [NAME=value …] uptime …`  a command line. The `< ` lines after it are its standard input.
 * - `% uptime …`                 a command line that is repeated until it prints data.
 * - `> path`                     a file. The `| ` lines after it are its content.
 *
 * The output of a command follows: standard output unchanged, standard error after `! `, an exit code other than 0
 * after `? `. Lines that begin with `# ` after an empty line are comments of the next step. Empty lines separate steps.
 */
export async function playTranscript(text: string, world: World): Promise<string> {
  const steps: string[][] = [];
  let comments: string[] = [];
  const lines = text.split('\n');
  let between = true;
  while (lines.length > 0) {
    const line = lines.shift()!;
    if (line.startsWith('# ') && between) comments.push(line);
    between = line === '' || (between && line.startsWith('# '));
    // A line that begins neither a step nor a comment is the output of an earlier run, so it is left out.
    if (!/^[$%>] /.test(line)) continue;
    const played = line.startsWith('> ') ? await put(line, lines, world) : await type(line, lines, world);
    steps.push([...comments, line, ...played]);
    comments = [];
  }
  return `${steps.map((step) => step.join('\n')).join('\n\n')}\n`;
}

async function put(line: string, lines: string[], world: World): Promise<string[]> {
  const content = take(lines, '|').map((one) => mask(one, world, 'back'));
  const path = join(world.cwd, line.slice(2));
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content.map((one) => `${one}\n`).join(''));
  return content.map((one) => `| ${mask(one, world)}`.trimEnd());
}

async function type(line: string, lines: string[], world: World): Promise<string[]> {
  const stdin = take(lines, '<');
  let printed = await play(line.slice(2), stdin, world);
  while (line.startsWith('%') && printed.every((one) => /^[!?] /.test(one)))
    printed = await play(line.slice(2), stdin, world);
  return [...stdin.map((one) => `< ${one}`.trimEnd()), ...printed];
}

async function play(commandLine: string, stdin: readonly string[], world: World): Promise<string[]> {
  const words = splitWords(mask(commandLine, world, 'back'));
  const start = words.indexOf('uptime');
  const set = words.slice(0, start).map((word) => word.split('=') as [string, string]);
  const out = collector();
  const err = collector();
  const context = createContext({
    env: { ...world.env, ...Object.fromEntries(set) },
    cwd: world.cwd,
    stdin: Readable.from(stdin.map((line) => Buffer.from(`${mask(line, world, 'back')}\n`))),
    stdout: out.stream,
    stderr: err.stream,
  });
  const exit = await run(words.slice(start + 1), context);
  return [
    ...linesOf(mask(out.text(), world)),
    ...linesOf(mask(err.text(), world)).map((line) => `! ${line}`.trimEnd()),
    ...(exit === 0 ? [] : [`? ${exit}`]),
  ];
}

/** Removes lines from the start of the list, as long as they begin with a sign. Returns them without the sign. */
function take(lines: string[], sign: string): string[] {
  const end = lines.findIndex((line) => line !== sign && !line.startsWith(`${sign} `));
  return lines.splice(0, end < 0 ? lines.length : end).map((line) => line.slice(2));
}

/**
 * Replaces each match of a `pattern` by its `word`. With `back`, replaces each `word` by its `pattern` again, unless
 * that is a regular expression.
 */
function mask(text: string, { masks }: World, direction?: 'back'): string {
  return masks.reduce((masked, [pattern, word]) => {
    if (direction === 'back') return typeof pattern === 'string' ? masked.replaceAll(word, pattern) : masked;
    return masked.replaceAll(pattern, word);
  }, text);
}

const linesOf = (text: string): string[] =>
  text === ''
    ? []
    : text
        .replace(/\n$/, '')
        .split('\n')
        .map((line) => line.trimEnd());

/** Splits a line into words like a shell. Single and double quotes keep spaces together. */
const splitWords = (text: string): string[] =>
  (text.match(/(?:[^\s"']|"[^"]*"|'[^']*')+/g) ?? []).map((word) => word.replaceAll(/["']/g, ''));

function collector() {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      done();
    },
  });
  return { stream, text: () => Buffer.concat(chunks).toString('utf8') };
}
