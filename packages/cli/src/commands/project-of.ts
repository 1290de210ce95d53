import { ForbiddenError, NotFoundError, type Project, type Uptime } from '@uptime/sdk';

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
