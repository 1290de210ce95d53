import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { Server } from '../connection.ts';
import type { Context } from '../context.ts';
import { explain } from '../report.ts';
import type { Turns } from './in-turn.ts';

/**
 * Runs the work of a tool after all earlier calls have ended. If the work fails, returns the message that the command
 * line would print.
 */
export type Answering = (
  extra: { signal: AbortSignal },
  work: (connected: Server) => Promise<CallToolResult>,
) => Promise<CallToolResult>;

export const createAnswering =
  ({ client, turns }: Pick<Server, 'client'> & { turns: Turns }, context: Pick<Context, 'signal'>): Answering =>
  ({ signal: cancelled }, work) =>
    turns.take(async () => {
      const signal = AbortSignal.any([context.signal, cancelled]);
      try {
        signal.throwIfAborted();
        return await work({ client, signal });
      } catch (error) {
        const { message, next } = await explain(error, { signal });
        const text = next === undefined ? message : `${message}\n${next}`;
        return { content: [{ type: 'text', text: text.slice(0, 4000) }], isError: true };
      }
    });
