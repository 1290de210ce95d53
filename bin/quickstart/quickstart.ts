import { relative } from 'node:path';
import { parseArgs, styleText } from 'node:util';
import type { ContextOptions } from '@uptime/cli';
import { type Config, ConfigError, readConfig, startDaemon } from '@uptime/daemon';
import { type SettingName, settings } from '../../packages/daemon/src/config/settings.ts';
import { setUp, type Ready } from './set-up.ts';
import { type Paint, watchMonitors } from './watch-monitors.ts';

const defaultUrl = `http://${settings.host.default}:${settings.port.default}`;

export interface QuickstartOptions extends ContextOptions {
  argv: string[];
  /** Ends the serving. */
  signal: AbortSignal;
}

/**
 * The whole product in one command: serves, makes an account, a project and a key on the first start, applies the
 * example monitors through the command line's own code, and tells how they are until the signal. Answers the exit code.
 */
export async function quickstart(options: QuickstartOptions): Promise<number> {
  const { env, stdout, stderr, signal } = options;
  let daemon: Awaited<ReturnType<typeof startDaemon>>;
  let config: Config;
  try {
    // The screen belongs to the monitors: the log says only what is wrong.
    config = readConfig({ flags: readFlags(options.argv), env: { UPTIME_LOG_LEVEL: 'warn', ...env } });
    daemon = await startDaemon(config);
  } catch (error) {
    stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return error instanceof ConfigError ? 2 : 1;
  }
  const say = (text: string) => void stdout.write(`${text}\n`);
  const paint: Paint = (style, text) => styleText(style, text, { stream: stdout });
  try {
    const dataDir = relative(options.cwd, config.dataDir) || config.dataDir;
    say(`${paint('bold', 'uptime')} runs at ${paint('bold', daemon.url)} · data in ${dataDir} · Ctrl-C stops it`);
    const url = localUrl(daemon.url, config);
    const ready = await setUp({ url, store: daemon.store, dataDir: config.dataDir, say, ...options });
    if (ready) {
      say(`\n${nextSteps(ready, url, paint)}\n`);
      await watchMonitors({ url, apiKey: ready.apiKey, signal, say, paint });
    } else {
      if (!signal.aborted) await new Promise((ended) => signal.addEventListener('abort', ended, { once: true }));
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    await daemon.close();
  }
  say('Stopped. Start again, and everything is as it was.');
  return 0;
}

/** The site's own address may lead through a proxy that knows nothing of this machine yet. */
function localUrl(url: string, { siteUrl, host, port }: Config): string {
  if (siteUrl === null || port === 0) return url;
  return `http://${host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host}:${port}`;
}

function nextSteps({ uptime, manifest, heartbeat }: Ready, url: string, paint: Paint): string {
  // The manifest names this server by the environment, or else where it is by default.
  const here = url === defaultUrl ? '' : `UPTIME_SITE_URL=${url} UPTIME_PORT=${new URL(url).port} `;
  return [
    'Type next, in another terminal:',
    `  ${paint('cyan', `${uptime} monitors list`)}`,
    ...(heartbeat ? [`  ${paint('cyan', `${uptime} ping ${heartbeat}`)}`] : []),
    `  edit ${manifest}, then ${paint('cyan', `${here}${uptime} monitors apply -f ${manifest}`)}`,
  ].join('\n');
}

function readFlags(argv: string[]): Partial<Record<SettingName, string>> {
  const known = (Object.entries(settings) as [SettingName, { flag?: string }][]).filter(([, one]) => one.flag);
  try {
    const { values } = parseArgs({
      args: argv,
      options: Object.fromEntries(known.map(([, one]) => [one.flag!.slice(2), { type: 'string' as const }])),
    });
    return Object.fromEntries(known.map(([name, one]) => [name, values[one.flag!.slice(2)]]));
  } catch (error) {
    throw new ConfigError(
      `${(error as Error).message}. The quickstart takes ${known.map(([, one]) => one.flag).join(', ')}.`,
    );
  }
}
