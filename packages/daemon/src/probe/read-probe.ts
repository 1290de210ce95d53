import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { type Config, readConfig } from '../config/config.ts';
import { probeVariables, readProbeFlags } from './probe-flags.ts';
import { siteAddress } from './site-address.ts';

export { probeHelp } from './probe-flags.ts';

/** The options of a probe. */
export interface ReadProbe {
  url: string;
  /** Whether the token travels unencrypted. */
  isPlain: boolean;
  token: string;
  dataDir: string;
  config: Config;
  /** The probe's own rule for targets, from its environment; null if the server's rule applies. */
  ownTargets: Config['targets'] | null;
}

/** Reads the command line and the environment; null if the command line asks for help. Throws ConfigError. */
export async function readProbe(
  args: string[],
  { env, stdin }: { env: Record<string, string | undefined>; stdin: Readable },
): Promise<ReadProbe | null> {
  const flags = readProbeFlags(args, env);
  if (flags === null) return null;
  const shared = Object.fromEntries(Object.entries(env).filter(([name]) => !probeVariables.includes(name)));
  const config = readConfig({ flags: flags.dataDir === undefined ? {} : { dataDir: flags.dataDir }, env: shared });
  const token = flags.token === '-' ? (await text(stdin)).trim() : flags.token;
  // A probe uses a subfolder of the data folder, so that it never shares a database with a daemon.
  const dataDir = join(config.dataDir, 'probe');
  const ownTargets = env['UPTIME_TARGETS'] || config.mode === 'public' ? config.targets : null;
  return { ...siteAddress(flags.join), token, config, ownTargets, dataDir };
}
