import { type Setting, settings } from './settings.ts';

/** Returns the text of `uptimed serve --help`, which describes every setting. */
export function serveHelp(): string {
  const lines = (Object.entries(settings) as [string, Setting<unknown>][]).map(
    ([name, { env, flag, default: byDefault, publicDefault, docs }]) => {
      const inPublic = publicDefault === undefined ? '' : `, in public mode ${publicDefault}`;
      const defaultNote = byDefault === null ? '' : ` Default: ${byDefault}${inPublic}.`;
      return `  ${env}${flag ? `, ${flag}` : ''} (in the file: ${name})\n      ${docs}${defaultNote}`;
    },
  );
  return `uptimed serve [--host <address>] [--port <number>] [--data-dir <folder>] [--config <file>]

Serves the API and runs the checks. A flag overrides the environment, and the environment overrides the config
file. The file is YAML or JSON. It names each setting by the name in brackets below, or by its environment variable.

${lines.join('\n')}`;
}
