import { type Health, Uptime } from '@uptime/sdk';
import type { Context } from '../../context.ts';
import { explain } from '../../report.ts';
import type { SettingFlags } from '../../settings.ts';
import { version } from '../../version.ts';
import type { Finding } from './finding.ts';

/** Doctor accepts this difference of clocks. The Date header has a precision of one second. */
const maxSkewSeconds = 5;

/**
 * Examines the server: whether it answers, its health, its version, and how much its clock differs from this machine's.
 */
export async function examineServer(flags: SettingFlags, context: Context): Promise<Finding[]> {
  const { siteUrl, apiKey } = context.settings(flags);
  let skewSeconds: number | null = null;
  const send = context.fetch ?? fetch;
  const timed: typeof fetch = async (input, init) => {
    const sent = Date.now();
    const response = await send(input, init);
    const date = Date.parse(response.headers.get('date') ?? '');
    // The header has no fractions of a second, so half a second is added. The result is compared with this machine's
    // time in the middle of the request.
    skewSeconds = Number.isNaN(date) ? null : (date + 500 - (sent + Date.now()) / 2) / 1000;
    return response;
  };
  try {
    const onRequest = context.tracer(flags);
    const client = new Uptime({
      // Only a request with the operator's key gets the reason why the server is unhealthy.
      apiKey: sendable(apiKey?.value),
      siteUrl: siteUrl.value,
      fetch: timed,
      timeout: 10_000,
      onRequest,
    });
    const health = await client.health({ signal: context.signal });
    return [...stateOf(health), versionOf(health), clockOf(skewSeconds)];
  } catch (error) {
    if (context.signal.aborted) throw error;
    const { message } = await explain(error, context);
    const next = `start a server there with \`uptimed serve\`, or name another with --site-url or UPTIME_SITE_URL`;
    return [{ what: 'server', state: 'failed', says: message, next }];
  }
}

/** Returns the key, or null if an HTTP header cannot carry the key. `examineKey` reports such a key later. */
const sendable = (key: string | undefined) => (key !== undefined && /^[\x20-\x7e]+$/.test(key) ? key : null);

function stateOf({ status, reason, warnings }: Health): Finding[] {
  const first: Finding =
    status === 'ok'
      ? { what: 'server', state: 'ok', says: 'answers, and can write' }
      : {
          what: 'server',
          state: 'failed',
          says: `reports that it is unavailable: ${reason ?? 'only its operator can see why'}`,
          next: 'look at its log',
        };
  const next = 'look at the log of the server';
  return [first, ...(warnings ?? []).map((says): Finding => ({ what: 'server', state: 'warning', says, next }))];
}

function versionOf(health: Health): Finding {
  if (health.version === version) return { what: 'version', state: 'ok', says: `${version}, the same as this program` };
  const says = `the server has ${health.version}, this program ${version}`;
  return { what: 'version', state: 'warning', says, next: 'update the older one' };
}

function clockOf(skewSeconds: number | null): Finding {
  if (skewSeconds === null)
    return { what: 'clock', state: 'ok', says: 'the server sends no date, so its clock is unknown' };
  const apartSeconds = Math.abs(skewSeconds);
  if (apartSeconds <= maxSkewSeconds)
    return { what: 'clock', state: 'ok', says: `within ${maxSkewSeconds} s of the server's` };
  return {
    what: 'clock',
    state: 'warning',
    says: `${Math.round(apartSeconds)} s ${skewSeconds > 0 ? 'behind' : 'ahead of'} the server's`,
    next: 'set the clock that is wrong: `timedatectl status` shows whether it is synchronised',
  };
}
