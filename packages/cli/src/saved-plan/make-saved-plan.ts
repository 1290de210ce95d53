import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Context } from '../context.ts';
import { CliError } from '../exit.ts';
import { formatDiagnostic } from '../manifest/diagnostic.ts';
import { ManifestFaults } from '../manifest/manifest-faults.ts';
import { plain } from '../output.ts';
import { makePlan, type PreparedPlan } from '../plan/make.ts';
import { renderJson } from '../plan/render-json.ts';
import type { SettingFlags } from '../settings.ts';
import { canonical, digestsWith, fingerprintOf } from './fingerprint.ts';
import type { PlanFlags, SavedPlan } from './saved-plan.ts';
import { StalePlan } from './stale-plan.ts';
import { whatMoved } from './what-moved.ts';

/** The project and the server for which a plan was made. */
export type PlanTarget = Pick<SavedPlan, 'project' | 'siteUrl'>;

/** Returns the content of a plan file. It contains no secrets, only digests of them. */
export async function savedPlanOf(
  prepared: PreparedPlan,
  flags: PlanFlags,
  target: PlanTarget,
  env: Context['env'],
): Promise<SavedPlan> {
  const salt = randomBytes(16).toString('base64url');
  const madeFrom = await fingerprintOf(prepared, env, salt);
  return { ...target, flags, salt, madeFrom, plan: renderJson(prepared.plan) };
}

/**
 * Makes a saved plan again from its manifest, the environment and the server. Throws a StalePlan if the new plan
 * differs from the saved plan in any way. Throws a CliError if the plan is for another project, or if a variable is
 * missing.
 */
export async function remakePlan(
  saved: SavedPlan,
  settings: SettingFlags,
  target: PlanTarget,
  context: Context,
): Promise<PreparedPlan> {
  refuseOtherProject(saved, target);
  const files = await movedFiles(saved, context.cwd);
  if (files.length > 0) throw new StalePlan(files);
  refuseMissing(saved, context.env);
  const prepared = await makePlan({ ...saved.flags, settings }, context).catch((error: unknown) => {
    // The manifest has not changed, and it had no fault when the plan was made. So the server must have changed.
    throw error instanceof ManifestFaults
      ? new StalePlan(error.faults.map((fault) => `the manifest does not fit the server: ${formatDiagnostic(fault)}`))
      : error;
  });
  const moved = whatMoved(saved.madeFrom, await fingerprintOf(prepared, context.env, saved.salt));
  if (moved.length > 0) throw new StalePlan(moved);
  if (canonical(renderJson(prepared.plan)) !== canonical(saved.plan)) {
    throw new StalePlan(['a maintenance window has begun or ended, or another version of this program made the plan']);
  }
  return prepared;
}

/** Returns a sentence for each file that has changed or cannot be read. Does not parse the files. */
async function movedFiles({ madeFrom, salt }: SavedPlan, cwd: string): Promise<string[]> {
  const digest = digestsWith(salt);
  const all = Object.entries(madeFrom.files).map(async ([name, before]) => {
    try {
      const now = digest((await readFile(resolve(cwd, name))).toString('utf8'));
      return now === before ? [] : [`${plain(name)} has changed`];
    } catch (error) {
      return [`${plain(name)} cannot be read: ${(error as Error).message}`];
    }
  });
  return (await Promise.all(all)).flat();
}

function refuseOtherProject(saved: SavedPlan, target: PlanTarget): void {
  const same =
    saved.project === null || target.project === null
      ? saved.siteUrl === target.siteUrl
      : saved.project === target.project;
  if (same) return;
  throw new CliError('the plan is for another project; nothing was changed', {
    exit: 'usage',
    next: '`uptime whoami` shows which project is in use, and why',
  });
}

/**
 * Throws a CliError if an environment variable is missing. A saved plan contains no secrets, so apply needs the
 * variables again.
 */
function refuseMissing({ madeFrom: { variables } }: SavedPlan, env: Context['env']): void {
  const missing = Object.keys(variables).filter((name) => variables[name] !== null && !Object.hasOwn(env, name));
  if (missing.length === 0) return;
  const all = Object.keys(variables).join(', ');
  throw new CliError(
    `the plan needs the environment variables that it was made with, and ${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} not set; nothing was changed`,
    { exit: 'usage', next: `a plan holds no secrets: set ${all} and apply it again` },
  );
}
