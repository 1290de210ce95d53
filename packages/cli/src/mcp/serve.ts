import { setImmediate } from 'node:timers/promises';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { Context } from '../context.ts';
import type { Ended } from '../exit.ts';
import { createServer, type McpOptions } from './create-server.ts';
import { inTurn } from './in-turn.ts';

/** The largest call, in bytes. An ordinary call has a few hundred. */
const mostBytesOfMessage = 1_048_576;

/** Serves MCP on standard input and output until the input ends or a signal arrives. */
export async function serve(
  { client, settings, allowWrites }: Omit<McpOptions, 'turns'>,
  context: Context,
): Promise<Ended> {
  const { io, signal } = context;
  const turns = inTurn();
  const server = createServer({ client, settings, turns, allowWrites }, context);
  const over = new Promise<void>((resolve) => {
    const end = () => resolve();
    io.stdin.once('end', end).once('close', end);
    signal.addEventListener('abort', end, { once: true });
    // The MCP library offers no other way to listen.
    Object.assign(server.server, { onclose: end });
  });
  await server.connect(new StdioServerTransport(io.stdin, io.stdout, { maxBufferSize: mostBytesOfMessage }));
  if (io.stdin.isTTY) io.say('Waiting for an MCP client on standard input. Ctrl-C stops.');
  await over;
  // Calls that were already read get their answers.
  if (!signal.aborted)
    await setImmediate()
      .then(turns.idle)
      .then(() => setImmediate());
  await server.close();
  return signal.aborted ? 'interrupted' : 'ok';
}
