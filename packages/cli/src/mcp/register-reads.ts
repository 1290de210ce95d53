import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { RangeQuery } from '@uptime/sdk';
import * as z from 'zod';
import { date } from '@uptime/sdk/contract';
import type { Server } from '../connection.ts';
import type { Context } from '../context.ts';
import { CliError } from '../exit.ts';
import { monitors } from '../nouns/monitors.ts';
import type { SettingFlags } from '../settings.ts';
import type { Answering } from './answering.ts';
import { collect } from './collect.ts';
import { explainMonitor } from './explain-monitor.ts';
import { hideSecrets } from './hide-secrets.ts';
import { namedResources } from './named-resources.ts';
import { planManifest } from './plan-manifest.ts';
import { monitorPasts, pastSummaries, projectLists } from './project-reads.ts';
import { maxRows, toolAnswer, usualRows } from './tool-answer.ts';

const oneOf = (words: readonly string[]) => z.enum(words as [string, ...string[]]);
const word = z.string().min(1).max(400);
const monitor = word.describe('Id, key or name of the monitor.');
const limit = z.int().min(1).max(maxRows).default(usualRows).describe(`Maximum number of rows, 1 to ${maxRows}.`);
const days = { from: date.optional(), to: date.optional() };

const readOnly = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true };

interface Toolbox extends Pick<Server, 'client'> {
  server: McpServer;
  settings: SettingFlags;
  context: Context;
  answering: Answering;
}

/** Registers the tools that only read from the server. */
export function registerReads(toolbox: Toolbox): void {
  registerList(toolbox);
  registerGet(toolbox);
  registerExplain(toolbox);
  registerHistory(toolbox);
  registerPlan(toolbox);
}

function registerList({ server, client, answering }: Toolbox): void {
  server.registerTool(
    'list',
    {
      description: 'List resources of the project: monitors with their status, alerts, deliveries and others.',
      inputSchema: z.strictObject({
        resource: oneOf(projectLists.map(({ of }) => of)),
        search: word.optional().describe('Only rows whose key, name or title contains this text.'),
        status: word.optional().describe('Only rows with this status, such as `down` for monitors.'),
        ...days,
        limit,
      }),
      annotations: { title: 'List', ...readOnly },
    },
    ({ resource, search, status, from, to, limit: maxKept }, extra) =>
      answering(extra, async ({ signal }) => {
        const { rows, oldestFirst = false, hasRange = false } = projectLists.find(({ of }) => of === resource)!;
        if (!hasRange) refuseRange(resource, { from, to });
        const { rows: kept, total } = await collect(rows(client, { from, to }, { signal }), {
          maxRows: maxKept,
          latest: oldestFirst,
          passes: (row) => matches(row, search, status),
        });
        return toolAnswer(
          kept.map((row) => hideSecrets(resource, row)),
          { maxRows: maxKept, about: { total, shown: kept.length } },
        );
      }),
  );
}

function registerGet({ server, answering }: Toolbox): void {
  server.registerTool(
    'get',
    {
      description: 'Read one resource with all its fields. Secrets are hidden.',
      inputSchema: z.strictObject({
        resource: oneOf(namedResources.map(({ word: of }) => of)),
        name: word.describe('Its id, key or name; for an incident its id or title.'),
      }),
      annotations: { title: 'Get', ...readOnly },
    },
    ({ resource, name }, extra) =>
      answering(extra, async (connected) => {
        const noun = namedResources.find(({ word: of }) => of === resource)!;
        return toolAnswer(hideSecrets(resource, await noun.find(name, connected)), { maxRows });
      }),
  );
}

function registerExplain({ server, answering }: Toolbox): void {
  server.registerTool(
    'explain',
    {
      description: 'Explain a monitor: why and since when it is down, and which alerts went where.',
      inputSchema: z.strictObject({ monitor }),
      annotations: { title: 'Explain', ...readOnly },
    },
    ({ monitor: name }, extra) =>
      answering(extra, async (connected) =>
        toolAnswer(await explainMonitor(await monitors.find(name, connected), connected)),
      ),
  );
}

function registerHistory({ server, client, answering }: Toolbox): void {
  server.registerTool(
    'history',
    {
      description: `Read the past of a monitor, newest first. ${pastSummaries}`,
      inputSchema: z.strictObject({
        monitor,
        of: oneOf(monitorPasts.map(({ of }) => of)).default('changes'),
        ...days,
        limit,
      }),
      annotations: { title: 'History', ...readOnly },
    },
    ({ monitor: name, of: view, from, to, limit: maxKept }, extra) =>
      answering(extra, async (connected) => {
        const { signal } = connected;
        const { id } = await monitors.find(name, connected);
        const { rows, hasRange } = monitorPasts.find(({ of }) => of === view)!;
        if (!hasRange) refuseRange(view, { from, to });
        const { rows: kept, total } = await collect(rows(client, id, { from, to }, { signal }), {
          maxRows: maxKept,
          latest: true,
        });
        return toolAnswer(kept, { maxRows: maxKept, about: { total, shown: kept.length } });
      }),
  );
}

function registerPlan({ server, settings, context, answering }: Toolbox): void {
  server.registerTool(
    'plan',
    {
      description: 'Compare a manifest with the server: what `uptime apply` would change. Nothing is changed.',
      inputSchema: z.strictObject({
        files: z.array(word).min(1).max(50).optional().describe('Manifests in the folder of the MCP server.'),
        environment: word.optional().describe('Environment whose `overrides` apply, such as production.'),
        prune: z.boolean().optional().describe('Also show what `apply --prune` would delete.'),
      }),
      annotations: { title: 'Plan', ...readOnly },
    },
    (request, extra) =>
      answering(extra, async ({ signal }) =>
        toolAnswer(await planManifest(request, settings, { ...context, signal }), { maxRows }),
      ),
  );
}

/**
 * Throws a CliError if a range of days was given for a list that ignores it. Otherwise the answer would not be what the
 * caller asked for.
 */
function refuseRange(of: string, { from, to }: RangeQuery): void {
  if (from === undefined && to === undefined) return;
  throw new CliError(`\`from\` and \`to\` are not allowed for ${of}`, { next: 'leave them out' });
}

function matches(row: object, search: string | undefined, status: string | undefined): boolean {
  const fields: Record<string, unknown> = { ...row };
  if (status !== undefined && fields['status'] !== status) return false;
  if (search === undefined) return true;
  const texts = ['key', 'name', 'title', 'monitorName', 'ruleName', 'channelName'].map((field) => fields[field]);
  return texts.some((text) => typeof text === 'string' && text.toLowerCase().includes(search.toLowerCase()));
}
