import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { ToolAnnotations } from '@modelcontextprotocol/sdk/types.js';
import type { Endpoint } from '@uptime/sdk/contract';
import * as z from 'zod';
import type { Server } from '../connection.ts';
import { explain } from '../report.ts';
import type { Answering } from './answering.ts';
import { hideSecrets } from './hide-secrets.ts';
import { findByName } from './named-resources.ts';
import { projectWrites } from './project-writes.ts';
import { maxRows, toolAnswer } from './tool-answer.ts';

/**
 * Registers a tool for each change in `projectWrites`. The server refuses changes that the scope of the key does not
 * allow.
 */
export function registerWrites(server: McpServer, answering: Answering): void {
  for (const { id, of, call, warnings, endpoint } of projectWrites) {
    const isAboutOne = endpoint.path.includes('/:');
    const inputSchema = z.strictObject({
      ...(isAboutOne && { name: nameOf(of) }),
      ...(endpoint.body && { fields: endpoint.body.describe(fieldsText[endpoint.method]) }),
    });
    const description = `${endpoint.summary} ${of === 'deliveries' ? '' : refersByIds}`.trim();
    server.registerTool(
      inWords(id),
      { description, inputSchema, annotations: annotationsOf(endpoint) },
      ({ name, fields = {} }: { name?: unknown; fields?: unknown }, extra: { signal: AbortSignal }) =>
        answering(extra, async (connected) => {
          const { client, signal } = connected;
          const target = isAboutOne ? await findByName(of, String(name), connected) : '';
          const result = await call(client, target, fields as never, { signal });
          if (result === undefined) return toolAnswer({ done: true });
          const found = warnings
            ? await warnings(result as never, fields as object, connected).catch(asWarning(connected))
            : [];
          return toolAnswer(hideSecrets(of, result), { maxRows, about: found.length > 0 ? { warnings: found } : {} });
        }),
    );
  }
}

/**
 * If the warnings cannot be read, returns the error as a warning. The change was already made. If the model got an
 * error as the answer, it would make the change again.
 */
const asWarning =
  ({ signal }: Pick<Server, 'signal'>) =>
  async (error: unknown): Promise<string[]> => [
    `the change was made, but the warnings about it could not be read: ${(await explain(error, { signal })).message}`,
  ];

const refersByIds = 'Fields that refer to other resources hold ids; `list` shows them.';

const nameOf = (of: string) =>
  z
    .string()
    .min(1)
    .max(400)
    .describe(of === 'deliveries' ? 'Id of the delivery.' : 'Id, key or name; for an incident its id or title.');

const fieldsText: Record<Endpoint['method'], string> = {
  GET: '',
  POST: 'The fields of the request.',
  PATCH: 'A JSON merge patch: absent fields stay as they are, null restores a default.',
  DELETE: '',
};

/**
 * Returns hints about a tool for the client. Tools that edit or delete are marked as destructive, because the old
 * values are lost.
 */
function annotationsOf({ method, summary, idempotent }: Endpoint): ToolAnnotations {
  return {
    title: summary.replace(/[.:;].*$/s, ''),
    readOnlyHint: false,
    destructiveHint: method !== 'POST',
    idempotentHint: method !== 'POST' || idempotent === true,
    openWorldHint: true,
  };
}

/** Converts a name such as `createAlertRule` to `create_alert_rule`. */
const inWords = (id: string): string => id.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
