import { join } from 'node:path';
import { build, type BuildOptions, type Plugin } from 'esbuild';
import { assetOfPart, prefixOfParts } from './packages-apart.ts';
import { wrapAsModule } from './wrap-as-module.ts';

/** The programs of the executable by their names. `main` starts one of the other programs. */
const programs = {
  main: 'bin/main.ts',
  quickstart: 'bin/quickstart/main.ts',
  uptime: 'packages/cli/src/bin.ts',
  uptimed: 'packages/daemon/src/main.ts',
};

/**
 * For esbuild: leaves the other programs out of `main`, so that the server does not load the code of the `uptime`
 * command into memory.
 */
const leaveProgramsApart: Plugin = {
  name: 'programs-apart',
  setup(context) {
    context.onResolve({ filter: /\/(main|bin)\.ts$/ }, ({ path, importer, resolveDir }) => {
      if (!importer.endsWith(join('bin', 'main.ts'))) return undefined;
      const named = Object.entries(programs).find(
        ([, file]) => join(context.initialOptions.absWorkingDir!, file) === join(resolveDir, path),
      );
      return named && { path: prefixOfParts + named[0], external: true };
    });
  },
};

/** Bundles each program into a folder. Returns the assets: their names and files. */
export async function bundlePrograms(options: BuildOptions, folder: string): Promise<Record<string, string>> {
  const assets = Object.entries(programs).map(async ([name, file]) => {
    const outfile = join(folder, assetOfPart(name));
    const plugins = [...(options.plugins ?? []), ...(name === 'main' ? [leaveProgramsApart] : [])];
    await build({ ...options, entryPoints: [file], outfile, plugins });
    wrapAsModule(outfile);
    return [assetOfPart(name), outfile] as const;
  });
  return Object.fromEntries(await Promise.all(assets));
}
