import { realpath } from 'node:fs/promises';
import { isAbsolute, relative, resolve } from 'node:path';
import type { Context } from '../context.ts';
import { CliError } from '../exit.ts';
import { readGaps, sayGaps } from '../gaps/read-gaps.ts';
import { plain } from '../output.ts';
import { defaultManifest } from '../manifest/load.ts';
import { makePlan } from '../plan/make.ts';
import { renderJson } from '../plan/render-json.ts';
import type { SettingFlags } from '../settings.ts';

interface PlanRequest {
  files?: readonly string[] | undefined;
  environment?: string | undefined;
  prune?: boolean | undefined;
}

/**
 * Compares a manifest in the working folder with the server. The result also contains the notes and warnings that
 * `uptime apply` prints.
 */
export async function planManifest(
  { files = [defaultManifest], environment, prune = false }: PlanRequest,
  settings: SettingFlags,
  context: Context,
): Promise<object> {
  for (const file of files) await refuseOutside(file, context.cwd);
  const notes: string[] = [];
  const io = { ...context.io, say: (text: string) => void notes.push(plain(text)) };
  const manifest = { files: [...files], environment: environment ?? null, allowOutside: false };
  const prepared = await makePlan({ manifest, settings, prune }, { ...context, io });
  sayGaps(await readGaps(prepared, context), { io });
  return { ...renderJson(prepared.plan), notes };
}

/**
 * Throws a CliError for a file outside of the working folder, so that a model cannot read other files of the machine.
 * Also throws for `-`, because standard input carries the messages of MCP.
 */
async function refuseOutside(file: string, cwd: string): Promise<void> {
  const at = resolve(cwd, file);
  // A missing file is not refused here. It is reported later, with the same message as on the command line.
  const real = await realpath(at).catch(() => at);
  const inner = relative(await realpath(cwd), real);
  const lexical = relative(cwd, at);
  const isOutside = (path: string) => path === '..' || /^\.\.[/\\]/.test(path) || isAbsolute(path);
  if (file !== '-' && !isOutside(lexical) && (real === at || !isOutside(inner))) return;
  throw new CliError(`${JSON.stringify(plain(file))} is not a file in the folder that the MCP server was started in`, {
    exit: 'usage',
    next: 'name a manifest in that folder, such as monitors.yaml',
  });
}
