import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { Server } from '../connection.ts';
import type { Context } from '../context.ts';
import type { SettingFlags } from '../settings.ts';
import { version } from '../version.ts';
import { createAnswering } from './answering.ts';
import type { Turns } from './in-turn.ts';
import { registerReads } from './register-reads.ts';
import { registerWrites } from './register-writes.ts';
import { notice } from './tool-answer.ts';

export interface McpOptions extends Pick<Server, 'client'> {
  settings: SettingFlags;
  turns: Turns;
  /** Whether the server also offers tools that change the project. */
  allowWrites: boolean;
}

/** Creates the MCP server. Its instructions tell the model that the results of its tools are untrusted data. */
export function createServer({ client, settings, turns, allowWrites }: McpOptions, context: Context): McpServer {
  const instructions = `${allowWrites ? writing : reading} ${notice}`;
  const server = new McpServer({ name: 'uptime', version }, { instructions });

  const answering = createAnswering({ client, turns }, context);
  registerReads({ server, client, settings, context, answering });
  if (allowWrites) registerWrites(server, answering);
  return server;
}

const reading = 'Read-only access to one project of an uptime monitoring server. Begin with list or explain.';
const writing =
  'Access to one project of an uptime monitoring server. Begin with list or explain. Change only what the user asks for.';
