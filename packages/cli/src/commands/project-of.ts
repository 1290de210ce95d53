import { ForbiddenError, NotFoundError, UnauthenticatedError, type Project, type Uptime } from '@uptime/sdk';
import type { Context } from '../context.ts';
import type { SettingFlags } from '../settings.ts';

/**
 * The project that the client's key belongs to; null when the server has no way to tell, which is so for a project
 * without monitors where a key may not list projects. Throws the SDK's errors, `UnauthenticatedError` for a bad key.
 */
export async function projectOf(client: Uptime, signal: AbortSignal): Promise<Pick<Project, 'id' | 'name'> | null> {
  const [monitor] = await client.monitors.list({ limit: 1 }, { signal });
  try {
    if (monitor) return await client.projects.get(monitor.projectId, { signal });
    const [project] = await client.projects.list({}, { signal });
    return project ?? null;
  } catch (error) {
    if (error instanceof ForbiddenError || error instanceof NotFoundError) return null;
    throw error;
  }
}

/** The project in use: told by its key, or by the account that is logged in. Throws the SDK's errors. */
export async function projectInUse(
  client: Uptime,
  flags: SettingFlags,
  context: Context,
): Promise<Pick<Project, 'id' | 'name'> | null> {
  const told = await projectOf(client, context.signal);
  const { session, apiKey } = context.settings(flags);
  if (told || !session) return told;
  const account = await context.connectAccount(flags);
  try {
    const projects = await account.projects.list({}, { signal: context.signal });
    return projects.find((project) => project.apiKey === apiKey?.value) ?? null;
  } catch (error) {
    // An expired session says nothing about the key, which the server has just taken.
    if (error instanceof UnauthenticatedError || error instanceof ForbiddenError) return null;
    throw error;
  }
}
