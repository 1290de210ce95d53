import type { request, RequestOptions } from 'node:http';
import { resolveSettings, type SettingFlags } from '../../settings.ts';
import { readMetric } from './metric.ts';
import { isAddress, mayBeToken } from './target.ts';

/** The content of a plain ping, parsed from the command line. */
interface Plain {
  to: string;
  settings: SettingFlags;
  metrics: Record<string, number | string>;
  signal: string | null;
}

/**
 * The type of `process.getBuiltinModule`, used here to load node:http. An `import` would also load WebSocket and fetch,
 * which takes 80 ms.
 */
type Builtin = (name: 'node:http' | 'node:https') => { request: typeof request };

/** The outcome of a quick ping. */
export interface QuickPing {
  recorded: boolean;
  /** How long the full command must wait before its next attempt, because the server asked for it; 0 for no wait. */
  pingAfterMs: number;
}

const notSent: QuickPing = { recorded: false, pingAfterMs: 0 };

/**
 * Sends a plain ping (by address or token) without loading the rest of the program, which would take longer than the
 * ping itself. If the ping is not recorded, the full command waits for the server's Retry-After, retries, and reports
 * errors.
 */
export async function quickPing(
  argv: readonly string[],
  env: Record<string, string | undefined>,
  builtin: Builtin,
): Promise<QuickPing> {
  const ping = readPlain(argv);
  if (!ping) return notSent;
  try {
    const { to, settings, metrics, signal } = ping;
    const url = new URL(isAddress(to) ? to : `${resolveSettings(env, settings).siteUrl.value}/ping/${to}`);
    if (signal !== null) url.pathname = `${url.pathname.replace(/\/+$/, '')}/${signal}`;
    return await send(url, builtin, Object.keys(metrics).length > 0 ? JSON.stringify(metrics) : null);
  } catch {
    // The full command runs into this error again, and reports it.
    return notSent;
  }
}

function readPlain(argv: readonly string[]): Plain | null {
  const words = argv.flatMap((word) => /^(--[a-z-]+)=(.*)$/s.exec(word)?.slice(1) ?? [word]);
  const plain: Plain = { to: '', settings: {}, metrics: {}, signal: null };
  const event = (signal: string): boolean => plain.signal === null && ((plain.signal = signal), true);
  const readers: Record<string, (value: string) => boolean> = {
    '--metric': (value) => {
      const entry = readMetric(value);
      if (entry) plain.metrics[entry[0]] = entry[1];
      return entry !== null;
    },
    '--exit-code': (value) => /^\d{1,3}$/.test(value) && Number(value) <= 255 && event(String(Number(value))),
    '--retry-for': (value) => /^\d{1,4}$/.test(value) && Number(value) <= 3600,
    '--site-url': (value) => ((plain.settings.siteUrl = value), value !== ''),
    '--profile': (value) => ((plain.settings.profile = value), value !== ''),
  };
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!;
    const reader = readers[word === '-m' ? '--metric' : word];
    if (reader) {
      const value = words[++i];
      if (value === undefined || !reader(value)) return null;
    } else if (word === '--start' || word === '--fail') {
      if (!event(word.slice(2))) return null;
    } else if (plain.to === '' && (isAddress(word) || mayBeToken(word))) plain.to = word;
    else return null;
  }
  return plain.to === '' ? null : plain;
}

function send(url: URL, builtin: Builtin, body: string | null): Promise<QuickPing> {
  const { request } = builtin(url.protocol === 'https:' ? 'node:https' : 'node:http');
  return new Promise((resolve) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body ?? '') };
    const options: RequestOptions = {
      timeout: 10_000,
      agent: false,
      ...(body !== null && { method: 'POST', headers }),
    };
    const sent = request(url, options, (answer) => {
      answer.resume();
      const { statusCode = 0, headers: answerHeaders } = answer;
      const mayPass = statusCode >= 500 || statusCode === 429 || statusCode === 408;
      resolve({ recorded: statusCode === 200, pingAfterMs: mayPass ? retryAfterMs(answerHeaders['retry-after']) : 0 });
      // The status of the answer is enough, so the connection is closed without reading the body.
      sent.destroy();
    });
    sent.on('timeout', () => sent.destroy());
    sent.on('error', () => resolve(notSent));
    sent.on('close', () => resolve(notSent));
    sent.end(body ?? undefined);
  });
}

/** Reads a Retry-After header, in seconds or as a date. Returns milliseconds; 0 for any other value. */
function retryAfterMs(header: string | undefined): number {
  if (!header) return 0;
  const wait = /^\s*\d+\s*$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isNaN(wait) ? 0 : Math.max(0, wait);
}
