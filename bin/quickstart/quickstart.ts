import { relative } from 'node:path';
import { parseArgs, styleText } from 'node:util';
import type { ContextOptions } from '@uptime/cli';
import { type Config, ConfigError, readConfig, startDaemon } from '@uptime/daemon';
import { type SettingName, settings } from '../../packages/daemon/src/config/settings.ts';
import { nextSteps } from './next-steps.ts';
import { setUp } from './set-up.ts';
import { type Paint, watchMonitors } from './watch-monitors.ts';

export interface QuickstartOptions extends ContextOptions {
  argv: string[];
  /** Stops the server. */
  signal: AbortSignal;
}

/**
 * Runs the quickstart, and returns its exit code. It starts the server. On the first start it creates an account, a
 * project and a key. It applies the example monitors with the code of the CLI, and prints their status until `signal`
 * is aborted.
 */
export async function quickstart(options: QuickstartOptions): Promise<number> {
  const { env, stdout, stderr, signal } = options;
  let daemon: Awaited<ReturnType<typeof startDaemon>>;
  let config: Config;
  try {
    // The terminal shows the status of the monitors, so the log prints only warnings.
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
    // The set-up uses the address on this machine, because the public address may need a proxy that is not set up yet.
    const { localUrl: url, url: siteUrl } = daemon;
    const ready = await setUp({ url, store: daemon.store, dataDir: config.dataDir, say, ...options });
    if (ready) {
      say(`\n${nextSteps(ready, { url, siteUrl }, paint)}\n`);
      await watchMonitors({ url, apiKey: ready.apiKey, signal, say, paint });
    } else {
      if (!signal.aborted) await new Promise((ended) => signal.addEventListener('abort', ended, { once: true }));
    }
  } catch (error) {
    if (!signal.aborted) {
      stderr.write(`The set-up could not be finished: ${error instanceof Error ? error.message : String(error)}\n`);
      return 1;
    }
  } finally {
    const closed = daemon.close();
    // The stop waits at most 0.7 s for running checks and messages, so that Ctrl-C ends the quickstart soon.
    setTimeout(() => daemon.interrupt(), 700).unref();
    await closed;
  }
  say('Stopped. The next start continues with the same data.');
  return 0;
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
