import { type Health, Uptime } from '@uptime/sdk';
import type { Context } from '../../context.ts';
import { explain } from '../../report.ts';
import type { SettingFlags } from '../../settings.ts';
import { version } from '../../version.ts';
import type { Finding } from './finding.ts';

/** Seconds of difference that are told. The Date header itself is whole seconds. */
const mostSkew = 5;

/** Whether the server answers, how it is, its version, and its clock against ours. */
export async function examineServer(flags: SettingFlags, context: Context): Promise<Finding[]> {
  const { siteUrl, apiKey } = context.settings(flags);
  let skew: number | null = null;
  const send = context.fetch ?? fetch;
  const timed: typeof fetch = async (input, init) => {
    const sent = Date.now();
    const response = await send(input, init);
    const date = Date.parse(response.headers.get('date') ?? '');
    // A whole second may have passed since the header's own; half the way there is taken as the middle.
    skew = Number.isNaN(date) ? null : (date + 500 - (sent + Date.now()) / 2) / 1000;
    return response;
  };
  try {
    const onRequest = context.tracer(flags);
    const client = new Uptime({
      // Only the operator's key is told why the server is not well.
      apiKey: sendable(apiKey?.value),
      siteUrl: siteUrl.value,
      fetch: timed,
      timeout: 10_000,
      onRequest,
    });
    const health = await client.health({ signal: context.signal });
    return [...stateOf(health), versionOf(health), clockOf(skew)];
  } catch (error) {
    if (context.signal.aborted) throw error;
    const { message } = await explain(error, context);
    const next = `start a server there with \`uptimed serve\`, or name another with --site-url or UPTIME_SITE_URL`;
    return [{ what: 'server', state: 'failed', says: message, next }];
  }
}

/** A key that no header can carry is told of later, with the key. */
const sendable = (key: string | undefined) => (key !== undefined && /^[\x20-\x7e]+$/.test(key) ? key : null);

function stateOf({ status, reason, warnings }: Health): Finding[] {
  const first: Finding =
    status === 'ok'
      ? { what: 'server', state: 'ok', says: 'answers, and can write' }
      : {
          what: 'server',
          state: 'failed',
          says: `answers that it is not available: ${reason ?? 'it says why to its operator alone'}`,
          next: 'look at its log',
        };
  const next = 'look at the log of the server';
  return [first, ...(warnings ?? []).map((says): Finding => ({ what: 'server', state: 'warning', says, next }))];
}

function versionOf(health: Health): Finding {
  if (health.version === version) return { what: 'version', state: 'ok', says: `${version}, as this program` };
  const says = `the server has ${health.version}, this program ${version}`;
  return { what: 'version', state: 'warning', says, next: 'update the older one' };
}

function clockOf(skew: number | null): Finding {
  if (skew === null) return { what: 'clock', state: 'ok', says: 'the server sends no date: its clock is not known' };
  const apart = Math.abs(skew);
  if (apart <= mostSkew) return { what: 'clock', state: 'ok', says: `within ${mostSkew} s of the server's` };
  return {
    what: 'clock',
    state: 'warning',
    says: `${Math.round(apart)} s ${skew > 0 ? 'behind' : 'ahead of'} the server's`,
    next: 'set the clock that is wrong: `timedatectl status` shows whether it is synchronised',
  };
}
