import {
  BadRequestError,
  ForbiddenError,
  NotFoundError,
  UnauthenticatedError,
  type Project,
  type Uptime,
} from '@uptime/sdk';
import type { Context } from '../context.ts';
import type { SettingFlags } from '../settings.ts';

/**
 * Returns the project of the client's key. An older server does not know the id `current`; there, the project is found
 * through the first monitor. Returns null if that fails too. Throws the SDK's errors, such as `UnauthenticatedError`.
 */
export async function projectOf(client: Uptime, signal: AbortSignal): Promise<Pick<Project, 'id' | 'name'> | null> {
  const own = await readProject(client, 'current', signal);
  if (own) return own;
  const [monitor] = await client.monitors.list({ limit: 1 }, { signal });
  return monitor ? readProject(client, monitor.projectId, signal) : null;
}

/** Reads a project. Returns null if the server does not know the id, or refuses to read it. */
async function readProject(client: Uptime, id: string, signal: AbortSignal): Promise<Project | null> {
  try {
    return await client.projects.get(id, { signal });
  } catch (error) {
    if (error instanceof NotFoundError || error instanceof ForbiddenError || error instanceof BadRequestError)
      return null;
    throw error;
  }
}

/** Returns the project in use, found by the key, or else through the account. Throws the SDK's errors. */
export async function projectInUse(
  client: Uptime,
  flags: SettingFlags,
  context: Context,
): Promise<Pick<Project, 'id' | 'name'> | null> {
  const projectOfKey = await projectOf(client, context.signal);
  const { session, apiKey } = context.settings(flags);
  if (projectOfKey || !session) return projectOfKey;
  const account = await context.connectAccount(flags);
  try {
    const projects = await account.projects.list({}, { signal: context.signal });
    return projects.find((project) => project.apiKey === apiKey?.value) ?? null;
  } catch (error) {
    // The server has accepted the key, and the command does not need the session. So an expired session is not an
    // error.
    if (error instanceof UnauthenticatedError || error instanceof ForbiddenError) return null;
    throw error;
  }
}
