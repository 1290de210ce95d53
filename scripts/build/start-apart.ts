import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { BuildOptions, OnResolveArgs, Plugin, PluginBuild } from 'esbuild';
import type * as HelpTexts from '../../packages/cli/src/stored-help/help-texts.ts';

const cli = fileURLToPath(new URL('../../packages/cli/src/', import.meta.url));

/** Bundles a source into a separate file, which shares no code with the other files of the bundle. */
const buildApart = (
  { esbuild, initialOptions }: PluginBuild,
  source: string,
  file: string,
  more: BuildOptions = {},
) => {
  const { format, platform, target, conditions, outdir = 'dist' } = initialOptions;
  return esbuild.build({
    entryPoints: [join(cli, source)],
    outfile: join(outdir, file),
    bundle: true,
    format,
    platform,
    target,
    conditions,
    minifySyntax: true,
    minifyWhitespace: true,
    ...more,
  });
};

const isStoredHelp = /\/stored-help\/stored-help\.ts$/;
const isPing = /\/commands\/ping\/quick\.ts$/;
const outside = (path: string) => () => ({ path, external: true });

/**
 * For esbuild: bundles the code for a plain ping into one file, `ping.js`. Each further file would delay a ping by more
 * than a millisecond.
 */
export const pingApart: Plugin = {
  name: 'ping-apart',
  setup(build) {
    build.onResolve({ filter: isPing }, outside('./ping.js'));
    build.onEnd(async () => void (await buildApart(build, 'commands/ping/quick.ts', 'ping.js')));
  },
};

/** Writes the help of all commands into one file. V8 parses JSON in a string faster than an object literal. */
async function storeHelp(file: string): Promise<void> {
  // With a static import, tsup would bundle all commands into its configuration.
  const source: string = pathToFileURL(join(cli, 'stored-help/help-texts.ts')).href;
  const { helpTexts } = (await import(source)) as typeof HelpTexts;
  writeFileSync(file, `export const storedHelp = JSON.parse(${JSON.stringify(JSON.stringify(helpTexts()))});\n`);
}

/**
 * For esbuild: bundles the start of the CLI into `uptime.js`, the code for a plain ping into `ping.js`, and the help
 * into `help.js`. The bundle with the commands begins at `main.ts`. So `uptime --version` loads one file, and `uptime …
 * --help` loads two.
 */
export const startApart: Plugin = {
  name: 'start-apart',
  setup(build) {
    const startOnly: Plugin = {
      name: 'start-only',
      setup(start) {
        start.onResolve({ filter: isPing }, outside('./ping.js'));
        start.onResolve({ filter: isStoredHelp }, outside('./help.js'));
        start.onResolve({ filter: /^\.\/main\.ts$/ }, ({ importer }: OnResolveArgs) =>
          importer.endsWith('bin.ts') ? { path: './main.js', external: true } : undefined,
        );
      },
    };
    build.onEnd(async () => {
      await buildApart(build, 'commands/ping/quick.ts', 'ping.js');
      await storeHelp(join(build.initialOptions.outdir ?? 'dist', 'help.js'));
      await buildApart(build, 'bin.ts', 'uptime.js', { plugins: [startOnly] });
      chmodSync(join(build.initialOptions.outdir ?? 'dist', 'uptime.js'), 0o755);
    });
  },
};
