import { join } from 'node:path';
import { build, type BuildOptions, type Plugin } from 'esbuild';
import { wrapAsModule } from './wrap-as-module.ts';

/**
 * Packages that most runs of the executable never need. Each is bundled into a separate asset, which is read when the
 * package is first loaded. So a start neither reads the sources of these packages nor keeps them in memory. `default`
 * means that our sources import the package's default export, and `named` that they import its exports by name.
 */
const apart: Record<string, 'named' | 'default'> = {
  '@inquirer/prompts': 'named',
  'acme-client': 'named',
  'better-auth': 'named',
  'better-auth/crypto': 'named',
  conf: 'default',
  nodemailer: 'named',
  ora: 'default',
  pg: 'named',
  rdapper: 'named',
  stripe: 'named',
  undici: 'named',
  yaml: 'named',
};

export const packagesApart = Object.keys(apart);

export const prefixOfParts = 'apart:';
export const assetOfPart = (name: string) => `apart/${name.replaceAll('/', '-')}.cjs`;

/** For esbuild: leaves the packages out of the program. */
export const leavePackagesApart: Plugin = {
  name: 'packages-apart',
  setup(context) {
    const names = packagesApart.map((name) => name.replaceAll('/', '\\/'));
    context.onResolve({ filter: new RegExp(`^(${names.join('|')})$`) }, ({ path, importer }) =>
      importer.includes('node_modules') ? undefined : { path: prefixOfParts + path, external: true },
    );
  },
};

/** Bundles the packages into a folder. Returns the assets: their names and files. */
export async function bundlePackagesApart(options: BuildOptions, folder: string): Promise<Record<string, string>> {
  const assets = Object.entries(apart).map(async ([name, form]) => {
    const outfile = join(folder, assetOfPart(name));
    await build({
      ...options,
      stdin: {
        // For CommonJS, the default export of an ES module is the property `default`.
        contents:
          form === 'default' ? `module.exports = require('${name}').default;` : `module.exports = require('${name}');`,
        resolveDir: resolveDirOf(name, options.absWorkingDir!),
      },
      outfile,
    });
    wrapAsModule(outfile);
    return [assetOfPart(name), outfile] as const;
  });
  return Object.fromEntries(await Promise.all(assets));
}

/** Returns the folder of the workspace that depends on a package. From this folder, esbuild finds the package. */
const resolveDirOf = (name: string, root: string): string =>
  join(root, 'packages', ['@inquirer/prompts', 'conf', 'ora'].includes(name) ? 'cli' : 'daemon');
