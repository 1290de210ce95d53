import type { Project, Uptime } from '@uptime/sdk';
import { CliError } from '../../exit.ts';
import { plain } from '../../output.ts';

/** Finds a project by its id or name. Throws a CliError if none or several match. */
export async function findProject(client: Uptime, word: string, signal: AbortSignal): Promise<Project> {
  const projects = await client.projects.list({}, { signal });
  const byId = projects.find(({ id }) => id === word);
  if (byId) return byId;
  const named = projects.filter(({ name }) => name === word);
  if (named.length > 1) {
    throw new CliError(`${named.length} projects are named ${JSON.stringify(plain(word))}`, {
      next: `use an id instead: ${named.map(({ id }) => id).join(', ')}`,
    });
  }
  if (named[0]) return named[0];
  const { nearest } = await import('@uptime/sdk/contract');
  const meant = nearest(
    word,
    projects.map(({ name }) => name),
  );
  throw new CliError(`no project has the id or name ${JSON.stringify(plain(word))}`, {
    next: meant ? `did you mean ${JSON.stringify(plain(meant))}?` : '`uptime projects list` lists all projects',
  });
}
