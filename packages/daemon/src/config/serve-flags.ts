import { parseFlags } from './parse-flags.ts';
import { type SettingName, settings } from './settings.ts';

/** Reads the flags of `uptimed serve`. Throws ConfigError for an unknown flag. */
export function readFlags(args: string[]) {
  const named = (Object.entries(settings) as [SettingName, { flag?: string }][]).flatMap(([name, { flag }]) =>
    flag === undefined ? [] : [[name, flag.slice(2)] as const],
  );
  const { values } = parseFlags({
    args,
    options: {
      ...Object.fromEntries(named.map(([, flag]) => [flag, { type: 'string' as const }])),
      config: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  const given: Record<string, string | boolean | undefined> = values;
  const flags: Partial<Record<SettingName, string>> = {};
  for (const [name, flag] of named) if (typeof given[flag] === 'string') flags[name] = given[flag];
  return { flags, configFile: values.config, wantsHelp: values.help === true };
}
