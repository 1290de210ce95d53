import { ConnectionError, NotFoundError, type Ping, TimeoutError, Uptime } from '@uptime/sdk';
import type { Context } from '../../context.ts';
import { CliError } from '../../exit.ts';
import { plain } from '../../output.ts';
import type { SettingFlags } from '../../settings.ts';
import { keepTrying, type Patience } from './keep-trying.ts';
import { mayBeToken, isAddress } from './target.ts';

/** Sends pings to one heartbeat. */
export interface Pinger {
  /**
   * Resolves once the ping is durably recorded; tries again for so many seconds while the network or the server
   * fails. Throws the SDK's errors, and a CliError for what is no heartbeat.
   */
  send: (ping: Ping, retryFor: number) => Promise<void>;
}

/** A pinger for a ping address, a token, or a monitor's id, key or name; these are asked for when first needed. */
export function createPinger(to: string, flags: SettingFlags, context: Context): Pinger {
  const { signal, io } = context;
  // A ping carries its own credential: the project's key stays here.
  const siteUrl = isAddress(to) ? undefined : context.settings(flags).siteUrl.value;
  const client = new Uptime({
    apiKey: null,
    siteUrl,
    retries: 0,
    timeout: 10_000,
    fetch: context.fetch,
    onRequest: context.tracer(flags),
  });
  let askedMs = context.pingAfterMs;
  let known: string | null = isAddress(to) ? to : null;
  return {
    async send(ping, retryFor) {
      const patience = (): Patience => {
        // Waited for once, before whatever is sent first.
        const firstAfterMs = askedMs;
        askedMs = 0;
        return { seconds: retryFor, firstAfterMs, signal, say: (text) => io.say(text) };
      };
      const attempt = (where: string) =>
        keepTrying(() => client.heartbeats.ping(where, ping, { signal }), patience()).catch((error: unknown) => {
          throw isAddress(to) ? unanswered(error) : error;
        });
      if (known === null && mayBeToken(to)) {
        try {
          await attempt(to);
          known = to;
          return;
        } catch (error) {
          if (!(error instanceof NotFoundError)) throw error;
        }
      }
      known ??= await keepTrying(() => addressOf(to, flags, context), patience());
      await attempt(known);
    },
  };
}

/** No answer from a whole address: the settings, of which the general advice speaks, have no part in it. */
function unanswered(error: unknown): unknown {
  if (!(error instanceof ConnectionError || error instanceof TimeoutError)) return error;
  return new CliError(error.message, {
    next: '`uptime monitors get <monitor>` shows the ping address that is in force',
    cause: error,
  });
}

/** The ping address of a monitor that is named by id, key or name. */
async function addressOf(word: string, flags: SettingFlags, context: Context): Promise<string> {
  if (!context.settings(flags).apiKey) {
    const message = mayBeToken(word)
      ? `the server knows no ping token …${word.slice(-4)}`
      : `${JSON.stringify(plain(word))} is neither a ping address nor a token`;
    throw new CliError(message, {
      exit: mayBeToken(word) ? 'failed' : 'unauthorised',
      next: 'to ping by name, type `uptime login --api-key <key>` first',
    });
  }
  const { findMonitor } = await import('../monitors/find.ts');
  const client = await context.connect(flags);
  const monitor = await findMonitor(client, word, context.signal);
  if (monitor.type === 'heartbeat') return monitor.pingUrl;
  throw new CliError(`${JSON.stringify(plain(monitor.name))} is of type ${monitor.type}: only a heartbeat takes pings`);
}
