import * as z from 'zod';
import { endpoints } from './endpoint.ts';
import { id, instant, name, paging, timestamp } from './fields.ts';
import { keyScopeDocs, keyScopes } from './key-scopes.ts';

const scope = z
  .enum(keyScopes)
  .describe(`The rights of the key. ${keyScopes.map((of) => `\`${of}\`: ${keyScopeDocs[of]}`).join('. ')}.`);

const expiry = timestamp.nullable().describe('When the key stops working; null if it never does.');

export const projectKeyInput = z
  .strictObject({
    name: name.describe('Name of the machine or program, such as `ci`. Unique among the keys of the project.'),
    scope,
    expiresAt: instant.nullable().default(null).describe('When the key stops working; null for never.'),
  })
  .meta({ id: 'ProjectKeyInput' });

export const projectKey = z
  .object({
    id: id('key', 'key'),
    name,
    scope,
    expiresAt: expiry,
    lastUsedAt: timestamp.nullable().describe('The last use, to the minute; null if the key was never used.'),
    createdAt: timestamp,
  })
  .meta({ id: 'ProjectKey', description: 'A key for a machine, in addition to the one key of the project.' });

export const createdProjectKey = z
  .object({
    ...projectKey.shape,
    key: z.string().describe('The key itself. The server stores only its digest and never shows it again.'),
  })
  .meta({ id: 'CreatedProjectKey' });

export const currentKey = z
  .object({
    projectId: id('prj', 'project'),
    id: z.string().nullable().describe("The key's id; null for the project's own `apiKey`, and for a session."),
    name: z.string().nullable(),
    scope,
    expiresAt: expiry,
  })
  .meta({ id: 'CurrentKey', description: 'The credential of the request itself.' });

export const projectKeyEndpoints = endpoints({
  listProjectKeys: {
    method: 'GET',
    path: '/projects/:projectId/keys',
    access: 'owner',
    status: 200,
    summary: "List the keys for machines. The project's own `apiKey` is not among them.",
    query: z.strictObject(paging),
    response: z.array(projectKey),
  },
  getCurrentKey: {
    method: 'GET',
    path: '/projects/:projectId/keys/current',
    access: 'owner',
    scope: 'ping',
    status: 200,
    summary: 'Read the scope and expiry of the key that makes this request.',
    response: currentKey,
  },
  createProjectKey: {
    method: 'POST',
    path: '/projects/:projectId/keys',
    access: 'owner',
    scope: 'full',
    status: 201,
    creates: true,
    summary:
      'Create a key for a machine. Its scope says what it may do. A key that expires creates only keys that expire at the same time or before.',
    body: projectKeyInput,
    response: createdProjectKey,
    errors: ['conflict', 'plan_limit_exceeded'],
  },
  deleteProjectKey: {
    method: 'DELETE',
    path: '/projects/:projectId/keys/:keyId',
    access: 'owner',
    scope: 'full',
    status: 204,
    summary: 'Revoke a key. The key stops working at once.',
    response: null,
  },
});
