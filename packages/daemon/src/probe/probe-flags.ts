import { ConfigError } from '../config/config.ts';
import { parseFlags } from '../config/parse-flags.ts';

export interface ProbeFlags {
  join: string;
  /** `-` means standard input. */
  token: string;
  dataDir: string | undefined;
}

/** The text of `uptimed probe --help`. */
export const probeHelp = `uptimed probe --join <site> --token <token> [--data-dir <folder>]

Checks monitors from this machine for a server in another place, and reports the results to that server. It needs only
outgoing HTTPS.
\`uptimed admin probes add <region>\` on the server makes the token.

  --join <site>        address of the server (UPTIME_PROBE_JOIN)
  --token <token>      the token, or - to read it from standard input (UPTIME_PROBE_TOKEN)
  --data-dir <folder>  monitors and unsent results are stored in <folder>/probe (UPTIME_DATA_DIR)

UPTIME_TARGETS, UPTIME_DNS_SERVERS, UPTIME_GATEWAY_CHECK, UPTIME_LOG_LEVEL and UPTIME_LOG_FORMAT mean the same as for
\`uptimed serve\`. NODE_EXTRA_CA_CERTS adds trusted roots.`;

/** The variables that only a probe reads. */
export const probeVariables = ['UPTIME_PROBE_JOIN', 'UPTIME_PROBE_TOKEN'];

/** Reads the flags of `uptimed probe`; null if they ask for help. Throws ConfigError for wrong or missing flags. */
export function readProbeFlags(args: string[], env: Record<string, string | undefined>): ProbeFlags | null {
  const values = parse(args);
  if (values.help) return null;
  const join = values.join ?? env['UPTIME_PROBE_JOIN'];
  const token = values.token ?? env['UPTIME_PROBE_TOKEN'];
  if (!join)
    throw new ConfigError('--join is missing: the address of the server. `uptimed probe --help` shows an example.');
  if (!token)
    throw new ConfigError('--token is missing. On the server, `uptimed admin probes add <region>` makes a token.');
  return { join, token, dataDir: values['data-dir'] };
}

function parse(args: string[]) {
  const text = { type: 'string' } as const;
  const options = { join: text, token: text, 'data-dir': text, help: { type: 'boolean', short: 'h' } } as const;
  return parseFlags({ args, options }).values;
}
