import type { Config } from '../config/config.ts';
import { urlOf } from '../config/local-url.ts';
import { servingWarnings } from '../lifecycle/serving-warnings.ts';
import { openServed } from './open-served.ts';

/** The result of one examination. `warning`: a part does not work. `failed`: the daemon cannot serve. */
export interface Finding {
  state: 'ok' | 'warning' | 'failed';
  what: 'daemon' | 'database' | 'regions';
  says: string;
}

/** Time that the daemon has to answer. Its health answers within a second. */
const answerWithinMs = 5000;

/**
 * Examines the daemon of these settings from its own machine, without any credential: whether it answers, whether its
 * database opens, and which roles, regions and probes are missing. Changes nothing. Never throws.
 */
export async function* examineDaemon(config: Config, now: () => number): AsyncGenerator<Finding> {
  yield await examineHealth(config);
  yield* await examineDatabase(config, now);
}

async function examineHealth({ host, port }: Config): Promise<Finding> {
  const url = urlOf(host, port);
  const finding = (state: Finding['state'], says: string): Finding => ({ state, what: 'daemon', says });
  let response: Response;
  let text: string;
  try {
    response = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(answerWithinMs) });
    text = await response.text();
  } catch (error) {
    const { cause, message } = error as Error;
    const why = (cause as { code?: string } | undefined)?.code ?? message;
    return finding(
      'failed',
      `No daemon answers at ${url} (${why}). Start it with \`uptimed serve\`, or name its address with --host and --port.`,
    );
  }
  const version = /"version":"([^"]+)"/.exec(text)?.[1];
  if (version === undefined) return finding('failed', `Another program answers at ${url}.`);
  if (response.ok) return finding('ok', `uptimed ${version} serves at ${url}.`);
  return finding('failed', `uptimed ${version} answers at ${url}, but cannot serve. Its log has the reason.`);
}

async function examineDatabase(config: Config, now: () => number): Promise<Finding[]> {
  const finding = (state: Finding['state'], what: Finding['what'], says: string): Finding => ({ state, what, says });
  try {
    const store = await openServed(config);
    try {
      const place = config.databaseUrl === null ? `SQLite in ${config.dataDir}` : 'PostgreSQL';
      const warnings = await servingWarnings(store, now());
      const found = warnings.map((warning) => finding('warning', 'regions', warning));
      if (found.length === 0) found.push(finding('ok', 'regions', 'Every role and every region is served.'));
      return [finding('ok', 'database', `The database opens: ${place}.`), ...found];
    } finally {
      await store.close();
    }
  } catch (error) {
    return [finding('failed', 'database', (error as Error).message)];
  }
}
