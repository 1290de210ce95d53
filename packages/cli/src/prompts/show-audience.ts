import type { StatusPage } from '@uptime/sdk';
import type { Connection } from '../connection.ts';
import { CliError } from '../exit.ts';
import { plain } from '../output.ts';

/** Lists the status pages that will show an incident. If `ask` is set, also asks whether to publish the incident. */
export async function showAudience(
  monitorIds: readonly string[],
  ask: boolean,
  { client, io, signal }: Connection,
): Promise<void> {
  const pages = audienceOf(monitorIds, await client.statusPages.list({}, { signal }));
  if (pages.length === 0) io.say('No status page shows these monitors: the incident will not be public.');
  else
    io.say(`The incident will be public on:\n${pages.map(({ name, url }) => `  ${plain(name)}  ${url}`).join('\n')}`);
  if (!ask) return;
  const { confirm } = await import('@inquirer/prompts');
  const publish = await confirm(
    { message: pages.length > 0 ? 'Publish it?' : 'Create it?', default: true },
    { input: io.stdin, output: io.stderr, signal },
  );
  if (!publish) throw new CliError('not confirmed; no incident was created');
}

/**
 * Returns the status pages that show an incident: the pages with one of its monitors, or all pages if it names no
 * monitors.
 */
const audienceOf = (monitorIds: readonly string[], pages: readonly StatusPage[]): StatusPage[] =>
  pages.filter((page) => monitorIds.length === 0 || page.monitorIds.some((id) => monitorIds.includes(id)));
