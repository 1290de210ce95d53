import { ConnectionError, NotFoundError, type Ping, TimeoutError, Uptime } from '@uptime/sdk';
import type { Context } from '../../context.ts';
import { CliError } from '../../exit.ts';
import { maskSecret } from '../../mask-key.ts';
import { monitors } from '../../nouns/monitors.ts';
import { waitsForPings } from './waits-for-pings.ts';
import { plain } from '../../output.ts';
import type { SettingFlags } from '../../settings.ts';
import { keepTrying, type RetryOptions } from './keep-trying.ts';
import { mayBeToken, isAddress } from './target.ts';

/** Sends pings to one heartbeat. */
export interface Pinger {
  /**
   * Sends a ping, and resolves when it is durably recorded. Retries for `retrySeconds` while the network or the server
   * fails. Throws the SDK's errors, and a CliError for a monitor that is not a heartbeat.
   */
  send: (ping: Ping, retrySeconds: number) => Promise<void>;
}

/**
 * Creates a pinger. `to` is a ping address or a token, or a monitor's id, key or name. For an id, key or name, the
 * pinger looks up the ping address once.
 */
export function createPinger(to: string, flags: SettingFlags, context: Context): Pinger {
  const { signal, io } = context;
  const siteUrl = isAddress(to) ? undefined : context.settings(flags).siteUrl.value;
  const client = new Uptime({
    // A ping needs only the token in its address, so the project's key is not sent.
    apiKey: null,
    siteUrl,
    retries: 0,
    timeout: 10_000,
    fetch: context.fetch,
    onRequest: context.tracer(flags),
  });
  let requestedWaitMs = context.pingAfterMs;
  let pingAddress: string | null = isAddress(to) ? to : null;
  return {
    async send(ping, retrySeconds) {
      const retryOptions = (): RetryOptions => {
        // The server asked for this wait when it answered the quick ping. The wait is needed only once.
        const firstAfterMs = requestedWaitMs;
        requestedWaitMs = 0;
        return { seconds: retrySeconds, firstAfterMs, signal, say: (text) => io.say(text) };
      };
      const attempt = (where: string) =>
        keepTrying(() => client.heartbeats.ping(where, ping, { signal }), retryOptions()).catch((error: unknown) => {
          throw isAddress(to) ? unanswered(error) : error;
        });
      if (pingAddress === null && mayBeToken(to)) {
        try {
          await attempt(to);
          pingAddress = to;
          return;
        } catch (error) {
          if (!(error instanceof NotFoundError)) throw error;
        }
      }
      pingAddress ??= await keepTrying(() => addressOf(to, flags, context), retryOptions());
      await attempt(pingAddress);
    },
  };
}

/**
 * Returns the error for a ping address that does not answer, with advice that fits. The SDK's usual advice is about
 * settings, but settings do not change a ping address.
 */
function unanswered(error: unknown): unknown {
  if (!(error instanceof ConnectionError || error instanceof TimeoutError)) return error;
  return new CliError(error.message, {
    next: '`uptime monitors get <monitor>` shows the current ping address',
    cause: error,
  });
}

/** Looks up the ping address of a monitor by its id, key or name. */
async function addressOf(word: string, flags: SettingFlags, context: Context): Promise<string> {
  if (!context.settings(flags).apiKey) {
    const message = mayBeToken(word)
      ? `the server does not know the ping token ${maskSecret(word)}`
      : `${JSON.stringify(plain(word))} is neither a ping address nor a token`;
    throw new CliError(message, {
      exit: mayBeToken(word) ? 'failed' : 'unauthorised',
      next: 'to ping by name, type `uptime login --api-key <key>` first',
    });
  }
  const client = await context.connect(flags);
  const monitor = await monitors.find(word, { client, signal: context.signal });
  if (waitsForPings(monitor)) return monitor.pingUrl;
  throw new CliError(
    `${JSON.stringify(plain(monitor.name))} is of type ${monitor.type}: only heartbeats receive pings`,
  );
}
