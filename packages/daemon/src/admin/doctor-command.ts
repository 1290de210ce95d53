import { readConfig } from '../config/config.ts';
import { readConfigFile } from '../config/config-file.ts';
import { readFlags } from '../config/serve-flags.ts';
import { plainLine } from '../core/plain-line.ts';
import { examineDaemon } from './doctor.ts';

/** The environment, the colours and the output of the command. The command line passes them in. */
export interface DoctorContext {
  env: Record<string, string | undefined>;
  /** Colours a text, if the terminal shows colours. */
  paint: (colour: 'green' | 'yellow' | 'red', text: string) => string;
  print: (text: string) => void;
}

const help = `uptimed doctor: find out what is wrong with the daemon of this machine

  uptimed doctor
  uptimed doctor --data-dir /var/lib/uptimed
  uptimed doctor --config /etc/uptimed.yaml

Use the flags, the environment and the config file of \`uptimed serve\`. The command needs no credential, and changes no data.
It exits with 1 if the daemon does not answer, cannot serve, or has no database. \`uptime doctor\` examines a server from
another machine with a project's API key. It also examines the monitors, rules and limits of the project.`;

const colours = { ok: 'green', warning: 'yellow', failed: 'red' } as const;

/**
 * Runs `uptimed doctor`, which prints what it finds. Resolves with whether the daemon can serve. Throws ConfigError for
 * invalid settings.
 */
export async function runDoctor(args: string[], { env, paint, print }: DoctorContext): Promise<boolean> {
  const { flags, configFile, wantsHelp } = readFlags(args);
  if (wantsHelp) {
    print(help);
    return true;
  }
  const config = readConfig({ flags, env, file: configFile === undefined ? {} : await readConfigFile(configFile) });
  let isWell = true;
  for await (const { state, what, says } of examineDaemon(config)) {
    print(`${paint(colours[state], state.padEnd(7))}  ${what.padEnd(8)}  ${plainLine(says)}`);
    if (state === 'failed') isWell = false;
  }
  return isWell;
}
