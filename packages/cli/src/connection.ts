import type { Uptime } from '@uptime/sdk';
import type { Context } from './context.ts';
import type { SettingFlags } from './settings.ts';

/** A client, and the signal that aborts its requests. */
export interface Server {
  client: Uptime;
  signal: AbortSignal;
}

/** A client with its signal, the context and streams of the run, and the flags that chose the server. */
export interface Connection extends Server, Pick<Context, 'io'> {
  context: Context;
  settings: SettingFlags;
}

/**
 * Creates a client for the key's project, or for the account. Throws a CliError if the key or the session is missing.
 */
export async function connect(
  settings: SettingFlags,
  context: Context,
  { account = false }: { account?: boolean | undefined } = {},
): Promise<Connection> {
  const client = await (account ? context.connectAccount(settings) : context.connect(settings));
  const { io, signal } = context;
  return { client, signal, io, context, settings };
}
