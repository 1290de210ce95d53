import type { Config } from '../config/config.ts';
import { urlOf } from '../config/local-url.ts';
import { servingWarnings } from '../lifecycle/serving-warnings.ts';
import { createProcessLog } from '../log.ts';
import { readMove } from '../store/database-move.ts';
import { neverUsed, openUnchanged } from '../store/open-unchanged.ts';

/** The result of one examination. `warning`: a part does not work. `failed`: the daemon cannot serve. */
export interface Finding {
  state: 'ok' | 'warning' | 'failed';
  what: 'daemon' | 'database' | 'regions';
  says: string;
}

/** The daemon must answer within this time. A healthy daemon answers `/healthz` within a second. */
const answerWithinMs = 5000;

/**
 * Examines the daemon that these settings describe, from the daemon's own machine and without a credential. Yields
 * whether the daemon answers, whether its database opens, and which roles, regions and probes are missing. Changes
 * no data, and never throws.
 */
export async function* examineDaemon(config: Config): AsyncGenerator<Finding> {
  yield await examineHealth(config);
  yield* await examineDatabase(config);
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
  const version = /"version":"([\w.+-]{1,40})"/.exec(text)?.[1];
  if (version === undefined) return finding('failed', `Another program answers at ${url}.`);
  if (response.ok) return finding('ok', `uptimed ${version} serves at ${url}.`);
  return finding('failed', `uptimed ${version} answers at ${url}, but cannot serve. Its log has the reason.`);
}

async function examineDatabase({ databaseUrl, dataDir }: Config): Promise<Finding[]> {
  const finding = (state: Finding['state'], what: Finding['what'], says: string): Finding => ({ state, what, says });
  try {
    const opened = await openUnchanged({ databaseUrl, dataDir, log: createProcessLog('error', null) });
    try {
      const place = databaseUrl === null ? `SQLite in ${dataDir}` : 'PostgreSQL';
      if (opened.schema === 'none') return [finding('failed', 'database', neverUsed('this database'))];
      if (opened.schema === 'newer')
        return [
          finding('failed', 'database', `A newer version of uptime wrote the database: ${place}. Run that version.`),
        ];
      if (opened.schema === 'older')
        return [
          finding(
            'warning',
            'database',
            `${place} has the tables of an older version. The next start of the daemon upgrades them.`,
          ),
        ];
      const move = databaseUrl === null ? await readMove(opened.db) : undefined;
      if (move?.state === 'moved')
        return [
          finding('failed', 'database', 'The data of this folder was moved to PostgreSQL. Set UPTIME_DATABASE_URL.'),
        ];
      const warnings = await servingWarnings(opened, await opened.now());
      const found = warnings.map((warning) => finding('warning', 'regions', warning));
      if (found.length === 0)
        found.push(finding('ok', 'regions', 'Every region that monitors use is served, and every probe reports.'));
      return [finding('ok', 'database', `The database opens: ${place}.`), ...found];
    } finally {
      await opened.close();
    }
  } catch (error) {
    return [finding('failed', 'database', (error as Error).message)];
  }
}
