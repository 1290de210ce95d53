import * as z from 'zod';
import { endpoints } from './endpoint.ts';
import { id, name, paging, timestamp } from './fields.ts';

export const projectInput = z.strictObject({ name }).meta({ id: 'ProjectInput' });

export const projectPatch = z.strictObject({ name: name.optional() }).meta({ id: 'ProjectPatch' });

export const project = z
  .object({
    id: id('prj', 'project'),
    name,
    apiKey: z
      .string()
      .describe(
        "The project's API key: `uptime_` and at least 32 characters of base62. If the request has a key for a machine, the answer masks the API key: `••••` and the last four characters.",
      ),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Project', description: 'A project contains monitors and all other resources, and has one API key.' });

export const projectEndpoints = endpoints({
  listProjects: {
    method: 'GET',
    path: '/projects',
    access: 'session',
    status: 200,
    summary: 'List the projects of the signed-in user.',
    query: z.strictObject(paging),
    response: z.array(project),
  },
  getProject: {
    method: 'GET',
    path: '/projects/:projectId',
    access: 'owner',
    status: 200,
    summary: "Read a project. With an API key, `current` stands for the key's own project.",
    response: project,
  },
  createProject: {
    method: 'POST',
    path: '/projects',
    access: 'session',
    status: 201,
    creates: true,
    summary: 'Create a project, with its API key.',
    body: projectInput,
    response: project,
    errors: ['plan_limit_exceeded'],
  },
  updateProject: {
    method: 'PATCH',
    path: '/projects/:projectId',
    access: 'owner',
    scope: 'full',
    status: 200,
    summary: 'Rename a project.',
    body: projectPatch,
    response: project,
  },
  deleteProject: {
    method: 'DELETE',
    path: '/projects/:projectId',
    access: 'owner',
    scope: 'full',
    status: 204,
    summary: 'Delete a project and everything in it.',
    response: null,
  },
  regenerateApiKey: {
    method: 'POST',
    path: '/projects/:projectId/api-key',
    access: 'owner',
    scope: 'full',
    status: 200,
    summary: 'Create a new API key. The old key stops working at once.',
    response: project,
  },
});
