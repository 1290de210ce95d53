import { isPassive } from '@uptime/sdk/contract';
import { randomBytes } from 'node:crypto';
import { isSea } from 'node:sea';
import { type ContextOptions, createContext, run } from '@uptime/cli';
import { type HeartbeatMonitor, Uptime } from '@uptime/sdk';
import { storeProfile } from '../../packages/cli/src/profile-file.ts';
import type { Store } from '../../packages/daemon/src/store/store.ts';
import { makeAccount } from './account.ts';
import { commandName, type CommandName } from './command-name.ts';
import { manifestFile } from './manifest-file.ts';
import { recall, remember } from './memory.ts';

export interface SetUpOptions extends ContextOptions {
  /** The address at which the daemon listens on this machine. */
  url: string;
  store: Store;
  dataDir: string;
  say: (text: string) => void;
}

/** The result of the set-up. The quickstart uses it to show the commands that people can type next. */
export interface Ready extends CommandName {
  apiKey: string;
  /** The path of the manifest, as people type it. */
  manifest: string;
  /** A heartbeat to ping, if there is one. */
  heartbeat: Pick<HeartbeatMonitor, 'key' | 'name' | 'pingUrl'> | undefined;
}

const email = 'admin@uptime.example';
const profile = 'quickstart';

/**
 * Creates what the first start needs: account, project, key, a profile for the CLI, and the example monitors. Stores
 * each finished step, so that the next start can continue an interrupted set-up. Returns null for a data folder that
 * the quickstart did not create.
 */
export async function setUp(options: SetUpOptions): Promise<Ready | null> {
  const { url, store, dataDir, say, signal } = options;
  let memory = await recall(dataDir);
  if (!memory) {
    const used = await store.db.selectFrom('project').select('id').limit(1).executeTakeFirst();
    if (used) {
      say('\nThis data folder was in use before, so no example is added.');
      return null;
    }
    memory = { email, password: randomBytes(12).toString('base64url') };
    await remember(dataDir, memory);
  }
  const manifest = await manifestFile(options.cwd, dataDir);
  const first = memory.appliedAt === undefined;
  const moved = !first && memory.appliedAt !== url;
  const { password } = memory;
  let { apiKey } = memory;
  if (apiKey === undefined) {
    apiKey = await makeAccount(store, { email: memory.email, password: password ?? '' });
    await remember(dataDir, { ...memory, apiKey });
  }
  signal?.throwIfAborted();
  if (first) {
    say(`\n  account   ${memory.email}`);
    say(`  password  ${password}   (shown this once)`);
    say(`  API key   ${apiKey}   (shown this once)`);
  }
  const stored = await storeKey(options.env, apiKey, url);
  if (first || stored.failed) say(`  ${stored.sentence}\n`);

  if (moved) say('\nThe address of this server has changed since the last start; the example monitors are updated.');
  if (first || moved) {
    // The environment holds everything that the command needs, so the command ignores the user's own settings.
    const env = {
      ...options.env,
      UPTIME_SITE_URL: url,
      UPTIME_PORT: new URL(url).port,
      UPTIME_API_KEY: apiKey,
      UPTIME_CONFIG_DIR: dataDir,
    };
    const exit = await run(['monitors', 'apply', '-f', manifest, '--yes'], createContext({ ...options, env }));
    if (exit !== 0) say(`\n${manifest} could not be applied, for the reason above. The next start tries again.`);
    else await remember(dataDir, { email: memory.email, apiKey, appliedAt: url });
  }
  const monitors = await new Uptime({ siteUrl: url, apiKey }).monitors.list(undefined, { signal });
  const heartbeat = monitors.find(isPassive);
  const { uptime, link } = commandName(isSea() ? process.execPath : null, options.cwd);
  return { apiKey, manifest, uptime: uptime + stored.flags, link, heartbeat };
}

/**
 * Stores the key in a separate profile of the CLI, so that the user's profiles stay unchanged. Returns a sentence about
 * the outcome. If the home folder is not writable, the server still starts.
 */
async function storeKey(
  env: ContextOptions['env'],
  apiKey: string,
  url: string,
): Promise<{ failed: boolean; flags: string; sentence: string }> {
  try {
    const { current = profile } = await storeProfile(env, profile, { siteUrl: url, apiKey });
    const stored = `The key is stored for the uptime command, in its profile ${profile}`;
    if (current === profile) return { failed: false, flags: '', sentence: `${stored}.` };
    const sentence = `${stored}; without --profile it still uses ${current}.`;
    return { failed: false, flags: ` --profile ${profile}`, sentence };
  } catch (error) {
    const sentence =
      `The key could not be stored for the uptime command: ${(error as Error).message}.\n` +
      `  Set UPTIME_API_KEY and UPTIME_SITE_URL=${url} instead.`;
    return { failed: true, flags: '', sentence };
  }
}
