import { setImmediate } from 'node:timers/promises';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { ErrorCode } from '@modelcontextprotocol/sdk/types.js';
import * as z from 'zod';
import type { Context } from '../context.ts';
import { CliError, type Ended } from '../exit.ts';
import { plain } from '../output.ts';
import { createServer, type McpOptions } from './create-server.ts';
import { inTurn } from './in-turn.ts';

/** The largest message of a client, in bytes. An ordinary message has a few hundred bytes. */
const maxMessageBytes = 1_048_576;

/** Serves MCP on standard input and output, until the input ends or a signal arrives. */
export async function serve(
  { client, settings, allowWrites }: Omit<McpOptions, 'turns'>,
  context: Context,
): Promise<Ended> {
  const { io, signal } = context;
  const turns = inTurn();
  const server = createServer({ client, settings, turns, allowWrites }, context);
  const over = new Promise<'ended' | 'dropped'>((resolve) => {
    const end = () => resolve('ended');
    io.stdin.once('end', end).once('close', end);
    signal.addEventListener('abort', end, { once: true });
    // The MCP library has no other way to set these listeners. It calls `onclose` after a message that is too large,
    // because it then closes the connection.
    Object.assign(server.server, {
      onclose: () => resolve('dropped'),
      onerror: (error: Error) => {
        io.say(`Ignored a message: ${faultOf(error)}`);
        // The library does not answer faulty messages. This code answers only a line that is not JSON. If it also
        // answered faulty JSON messages, two programs could answer each other's errors forever.
        if (error instanceof SyntaxError) io.print(JSON.stringify(parseError));
      },
    });
  });
  await server.connect(new StdioServerTransport(io.stdin, io.stdout, { maxBufferSize: maxMessageBytes }));
  if (io.stdin.isTTY) io.say('Waiting for an MCP client on standard input. Ctrl-C stops.');
  const end = await over;
  if (end === 'dropped')
    throw new CliError(`a message was larger than ${maxMessageBytes} bytes, so the connection was closed`);
  // Calls that were already read still get their answers.
  if (!signal.aborted)
    await setImmediate()
      .then(turns.idle)
      .then(() => setImmediate());
  await server.close();
  return signal.aborted ? 'interrupted' : 'ok';
}

/** The answer to a line that is not JSON. Such a line has no id, so the id is null, as JSON-RPC requires. */
const parseError = {
  jsonrpc: '2.0',
  id: null,
  error: { code: ErrorCode.ParseError, message: 'The line is not JSON.' },
};

/** Returns why a message cannot be read, as one line. */
const faultOf = (error: Error): string =>
  error instanceof SyntaxError || error instanceof z.ZodError
    ? 'it is not a JSON-RPC message on one line'
    : plain(error.message).slice(0, 200);
