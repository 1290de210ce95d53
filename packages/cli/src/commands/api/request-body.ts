import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { maxBodyBytes, megabyte } from '@uptime/sdk/contract';
import type { Context } from '../../context.ts';
import { CliError } from '../../exit.ts';
import { readAll } from '../../io.ts';
import { plain } from '../../output.ts';

interface Given {
  method: string;
  fields: readonly string[];
  input: string | undefined;
}

/** The content of a request: the parameters for its query, and the text for its body. */
export interface Content {
  query: [string, string][];
  body: string | undefined;
}

/** Reads the content of a request from flags, a file or standard input. Throws a CliError if the input is not JSON. */
export async function readBody(
  { method, fields, input }: Given,
  context: Pick<Context, 'io' | 'cwd'>,
): Promise<Content> {
  if (input !== undefined && fields.length > 0) throw refused('--field and --input exclude each other');
  if (input !== undefined) return { query: [], body: await readInput(input, context) };
  const pairs = fields.map(splitField);
  if (['GET', 'HEAD', 'DELETE'].includes(method)) return { query: pairs, body: undefined };
  if (pairs.length === 0) return { query: [], body: undefined };
  const root: Fields = {};
  for (const [name, value] of pairs) put(root, name, valueOf(value));
  return { query: [], body: JSON.stringify(root) };
}

async function readInput(path: string, { io, cwd }: Pick<Context, 'io' | 'cwd'>): Promise<string> {
  const name = path === '-' ? 'standard input' : plain(path);
  const text = path === '-' ? await readAll(io.stdin) : await readText(resolve(cwd, path), path);
  if (Buffer.byteLength(text) > maxBodyBytes)
    throw refused(`${name} is larger than the API accepts (${maxBodyBytes / megabyte} MiB)`);
  try {
    JSON.parse(text);
  } catch (error) {
    throw refused(`${name} is not JSON: ${plain((error as Error).message)}`, error);
  }
  return text;
}

async function readText(at: string, path: string): Promise<string> {
  try {
    return await readFile(at, 'utf8');
  } catch (error) {
    throw refused(`${plain(path)} cannot be read: ${(error as Error).message}`, error);
  }
}

function splitField(field: string): [string, string] {
  const at = field.indexOf('=');
  if (at > 0) return [field.slice(0, at), field.slice(at + 1)];
  throw refused(`--field ${plain(field)} has no name and value: expected name=value`);
}

/** Returns the value of a text that is JSON, such as a number, `true` or a list. Any other text stays text. */
function valueOf(text: string): unknown {
  if (!/^(?:true|false|null|-?\d|["[{])/.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    // The text is not JSON, although it begins like JSON. For example, a date begins with digits.
    return text;
  }
}

type Fields = Record<string, unknown>;

/**
 * Stores a value under a name such as `labels[team]` or `monitorIds[]`, and creates the objects and lists in between.
 */
function put(root: Fields, name: string, value: unknown): void {
  const [, head = '', rest = ''] = /^([^[\]]+)((?:\[[^[\]]*\])*)$/.exec(name) ?? [];
  if (head === '') throw refused(`--field ${plain(name)} is not a name such as title, labels[team] or monitorIds[]`);
  const path = [head, ...[...rest.matchAll(/\[([^[\]]*)\]/g)].map(([, inner = '']) => inner)];
  let at: Fields = root;
  for (const [i, part] of path.entries()) {
    const next = path[i + 1];
    if (next === undefined) {
      define(at, part, value);
      return;
    }
    const isList = next === '' && i + 2 === path.length;
    const inner = Object.hasOwn(at, part) ? at[part] : define(at, part, isList ? [] : {});
    if (isList && Array.isArray(inner)) {
      inner.push(value);
      return;
    }
    if (next === '' || typeof inner !== 'object' || inner === null || Array.isArray(inner))
      throw refused(`--field ${plain(name)} conflicts with an earlier --field, or has [] before its end`);
    at = inner as Fields;
  }
}

/** Defines a field, even one with the name `__proto__`, which an assignment would not define. */
function define(at: Fields, name: string, value: unknown): unknown {
  Object.defineProperty(at, name, { value, enumerable: true, configurable: true, writable: true });
  return value;
}

const refused = (message: string, cause?: unknown): CliError => new CliError(message, { exit: 'usage', cause });
