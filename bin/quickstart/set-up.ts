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
  /** Where the daemon listens on this machine. */
  url: string;
  store: Store;
  dataDir: string;
  say: (text: string) => void;
}

/** What the set-up leaves to work with. */
export interface Ready extends CommandName {
  apiKey: string;
  /** The manifest, as a path to type. */
  manifest: string;
  /** One to ping, where there is one. */
  heartbeat: Pick<HeartbeatMonitor, 'key' | 'name' | 'pingUrl'> | undefined;
}

const email = 'admin@uptime.example';
const profile = 'quickstart';

/**
 * Makes what the first start needs: account, project, key, the command line's profile, the example monitors. Each step
 * is remembered, so that a start that was cut off goes on where it was, and a later one finds everything in place.
 * Answers null for a data folder that someone else has begun: that is served as it is.
 */
export async function setUp(options: SetUpOptions): Promise<Ready | null> {
  const { url, store, dataDir, say, signal } = options;
  let memory = await recall(dataDir);
  if (!memory) {
    const used = await store.db.selectFrom('project').select('id').limit(1).executeTakeFirst();
    if (used) {
      say('\nThis data folder was in use before; it is served as it is.');
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

  if (moved) say('\nThis server has another address than at its last start; its own monitors follow.');
  if (first || moved) {
    // All that the command needs is in its environment; the person's own settings have no say in it.
    const env = {
      ...options.env,
      UPTIME_SITE_URL: url,
      UPTIME_PORT: new URL(url).port,
      UPTIME_API_KEY: apiKey,
      UPTIME_CONFIG_DIR: dataDir,
    };
    const exit = await run(['monitors', 'apply', '-f', manifest, '--yes'], createContext({ ...options, env }));
    if (exit !== 0) say(`\n${manifest} could not be applied; the reason stands above. The next start tries again.`);
    else await remember(dataDir, { email: memory.email, apiKey, appliedAt: url });
  }
  const monitors = await new Uptime({ siteUrl: url, apiKey }).monitors.list(undefined, { signal });
  const heartbeat = monitors.find((monitor) => monitor.type === 'heartbeat');
  const { uptime, link } = commandName(isSea() ? process.execPath : null, options.cwd);
  return { apiKey, manifest, uptime: uptime + stored.flags, link, heartbeat };
}

/**
 * Stores the key as a profile of the command line, beside the one that the person works with; a home that can't be
 * written is no reason not to serve.
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
    const sentence = `${stored}; without a flag it goes on using ${current}.`;
    return { failed: false, flags: ` --profile ${profile}`, sentence };
  } catch (error) {
    const sentence =
      `The key could not be stored for the uptime command: ${(error as Error).message}.\n` +
      `  In its place set UPTIME_API_KEY, and UPTIME_SITE_URL=${url}.`;
    return { failed: true, flags: '', sentence };
  }
}
