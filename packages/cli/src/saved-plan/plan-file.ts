import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import * as z from 'zod';
import { CliError } from '../exit.ts';
import { readBytes } from '../io.ts';
import { plain } from '../output.ts';
import { canonical } from './fingerprint.ts';
import type { SavedPlan } from './saved-plan.ts';

const format = 'uptime-plan';
/** The version of the format of plan files. Each change of the format needs a new version. */
const version = 2;
const maxBytes = 64 * 1_048_576;

const digests = z.record(z.string(), z.string());
const planFile = z.strictObject({
  format: z.literal(format),
  version: z.literal(version),
  digest: z.string(),
  project: z.string().nullable(),
  siteUrl: z.string(),
  flags: z.strictObject({
    manifest: z.strictObject({
      files: z.array(z.string()).min(1),
      environment: z.string().nullable(),
      allowOutside: z.boolean(),
    }),
    prune: z.boolean(),
    takeOver: z.boolean(),
    allowDeletes: z.boolean(),
  }),
  salt: z.string(),
  madeFrom: z.strictObject({
    files: digests,
    variables: z.record(z.string(), z.string().nullable()),
    resources: z.array(
      z.strictObject({
        kind: z.enum(['channel', 'monitor', 'alertRule', 'statusPage', 'maintenanceWindow']),
        id: z.string(),
        key: z.string().nullable(),
        name: z.string(),
        fields: digests,
      }),
    ),
  }),
  plan: z.looseObject({ changes: z.array(z.unknown()), unchanged: z.number() }),
});

const digestOf = (content: object): string => createHash('sha256').update(canonical(content)).digest('hex');

/** Writes a complete plan to a file. If that fails, leaves a regular file as it was, and throws a CliError. */
export async function writePlanFile(path: string, plan: SavedPlan, cwd: string): Promise<void> {
  const content = { format, version, ...plan };
  const text = `${JSON.stringify({ ...content, digest: digestOf(content) }, null, 2)}\n`;
  const file = resolve(cwd, path);
  try {
    // A pipe or a device is not replaced. A regular file in its place would break every program that uses it.
    if (await isPipeOrDevice(file)) await writeFile(file, text);
    // If the file is a symbolic link, this replaces the target of the link.
    else await replaceFile(await realpath(file).catch(() => file), text);
  } catch (error) {
    throw new CliError(`${plain(path)} cannot be written: ${(error as Error).message}; nothing was changed`, {
      cause: error,
    });
  }
}

async function isPipeOrDevice(path: string): Promise<boolean> {
  const about = await stat(path).catch(() => null);
  return about !== null && !about.isFile() && !about.isDirectory();
}

async function replaceFile(path: string, text: string): Promise<void> {
  const partPath = `${path}.part`;
  try {
    await writeFile(partPath, text);
    await rename(partPath, path);
  } catch (error) {
    await rm(partPath, { force: true });
    throw error;
  }
}

/** Reads a plan from a file. Throws a CliError if the file is not a plan, or if its content was edited. */
export async function readPlanFile(path: string, cwd: string): Promise<SavedPlan> {
  const refuse = (reason: string, next = '`uptime apply --out plan.json` makes a plan') => {
    throw new CliError(`${plain(path)} ${reason}; nothing was changed`, { exit: 'usage', next });
  };
  if (/\.ya?ml$/i.test(path))
    refuse('is a manifest, and not a plan', `name a manifest with -f: \`uptime apply -f ${plain(path)}\``);
  const content = await read(resolve(cwd, path)).catch((error: NodeJS.ErrnoException) =>
    refuse(error.code === 'ENOENT' ? 'does not exist' : `cannot be read: ${error.message}`),
  );
  const { digest, ...rest } = (typeof content === 'object' && content !== null ? content : {}) as Record<
    string,
    unknown
  >;
  if (rest['format'] !== format) refuse('is not a plan of `uptime apply --out`');
  if (rest['version'] !== version) {
    refuse(
      `has the format version ${plain(JSON.stringify(rest['version'] ?? null))}, and this program reads version ${version}`,
    );
  }
  if (digest !== digestOf(rest)) refuse('was changed after the plan was made: its digest does not match');
  const parsed = planFile.safeParse(content);
  if (!parsed.success) refuse('is not a complete plan');
  const { format: _format, version: _version, digest: _digest, ...plan } = parsed.data!;
  return plan as SavedPlan;
}

async function read(path: string): Promise<unknown> {
  const bytes = await readBytes(createReadStream(path), maxBytes);
  if (bytes.length > maxBytes) throw new Error(`it exceeds the limit of ${maxBytes / 1_048_576} MB for a plan`);
  try {
    return JSON.parse(bytes.toString('utf8')) as unknown;
  } catch {
    return null;
  }
}
