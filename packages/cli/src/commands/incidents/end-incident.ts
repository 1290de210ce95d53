import type { IncidentPatch } from '@uptime/sdk';
import type { Command } from 'commander';
import { type RawFlags, textFlag } from '../../flags/raw-flags.ts';

interface Ending {
  message: string | undefined;
}

/** The flag of the commands that end an incident or a maintenance window. */
export const endingFlags = (command: Command): void =>
  void command.option('--message <text>', 'last entry of the timeline');

export const readEnding = (flags: RawFlags): Ending => ({ message: textFlag(flags, 'message') });

/**
 * Returns the patch that ends an incident and adds its last message. The CliError for a wrong message names `command`.
 */
export async function endingPatch({ message }: Ending, command: string): Promise<IncidentPatch> {
  const { validPatch } = await import('../../kinds/field-rules.ts');
  const { incidentRules } = await import('../../kinds/incident.ts');
  return validPatch({ status: 'resolved', ...(message !== undefined && { message }) }, incidentRules, command);
}
