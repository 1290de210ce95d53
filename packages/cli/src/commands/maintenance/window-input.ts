import type { IncidentInput } from '@uptime/sdk';
import { connect, type Connection } from '../../connection.ts';
import type { Context } from '../../context.ts';
import { validInput } from '../../kinds/field-rules.ts';
import { incidentRules } from '../../kinds/incident.ts';
import { resolveMembers } from '../../nouns/resolve-ids.ts';
import type { SettingFlags } from '../../settings.ts';
import type { WindowFields } from './window-flags.ts';

/**
 * Validates the fields of a window, creates a client, and looks up the window's monitors. The CliErrors name `command`.
 */
export async function windowInput(
  { monitors, ...fields }: WindowFields,
  { command, times = {} }: { command: string; times?: object },
  settings: SettingFlags,
  context: Context,
): Promise<{ input: IncidentInput; connection: Connection }> {
  const given = { fields: { ...fields, ...times }, members: {} };
  const input = validInput(given, incidentRules, command) as IncidentInput;
  const connection = await connect(settings, context);
  return { input: { ...input, ...(await resolveMembers({ monitors }, connection)) }, connection };
}
