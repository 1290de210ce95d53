import type { Uptime } from '@uptime/sdk';
import { allMonitors } from '../commands/monitors/all.ts';
import type { Context } from '../context.ts';
import { CliError } from '../exit.ts';
import { formatDiagnostic } from '../manifest/diagnostic.ts';
import { readManifests } from '../manifest/read.ts';
import type { SettingFlags } from '../settings.ts';
import type { Plan } from './change.ts';
import { planChanges } from './plan.ts';

/** Reads manifests, then the server, and compares. A server that can't be read is an error, never an empty one. */
export async function makePlan(
  options: { files: readonly string[]; settings: SettingFlags; prune: boolean },
  context: Context,
): Promise<{ client: Uptime; plan: Plan; existing: number }> {
  const wanted = await readManifests(options.files, context);
  const client = await context.connect(options.settings);
  const monitors = await allMonitors(client, context.signal);
  const planned = planChanges(wanted, monitors, { prune: options.prune });
  if (!planned.ok) {
    throw new CliError(`nothing was changed\n${planned.faults.map(formatDiagnostic).join('\n')}`, { exit: 'usage' });
  }
  return { client, plan: planned.plan, existing: monitors.length };
}
