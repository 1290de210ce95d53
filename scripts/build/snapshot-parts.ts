import { createRequire } from 'node:module';
import { join } from 'node:path';
import { build, type BuildOptions, type Plugin } from 'esbuild';
import { prefixOfParts } from './packages-apart.ts';

/**
 * The modules in the snapshot, by their names in `bin/parts-in-snapshot.ts`. Each has a pattern, and replaces the
 * imports that match this pattern.
 */
const parts = {
  contract: /^@uptime\/sdk\/contract$/,
  zod: /^zod$/,
  probeProtocol: /^\.\.?\/probe-protocol\.ts$/,
};

/** Bundles the parts into one file, which returns them by name. */
export async function bundleSnapshotParts(options: BuildOptions, folder: string): Promise<string> {
  const outfile = join(folder, 'parts-in-snapshot.cjs');
  await build({ ...options, entryPoints: ['bin/parts-in-snapshot.ts'], outfile });
  return outfile;
}

/**
 * For esbuild: makes a program take the modules from the snapshot. In the bundle, each of these modules is a small ES
 * module that lists its exports. If the modules were external, esbuild would copy all exports for each file that
 * imports them.
 */
export function takeFromSnapshot(partsFile: string): Plugin {
  const loaded = createRequire(import.meta.url)(partsFile) as Record<string, object>;
  return {
    name: 'snapshot-parts',
    setup(context) {
      context.onResolve({ filter: new RegExp(`^${prefixOfParts}`) }, ({ path }) => ({ path, external: true }));
      for (const [name, filter] of Object.entries(parts)) {
        const namespace = `snapshot-${name}`;
        context.onResolve({ filter }, ({ importer }) =>
          importer.includes('node_modules') ? undefined : { path: name, namespace },
        );
        context.onLoad({ filter: /.*/, namespace }, () => {
          const names = Object.keys(loaded[name]!);
          // Some exports of zod, such as `enum`, cannot be names of variables.
          const taken = names.map((exported) => `${exported}: ${exported}_`).join(', ');
          const given = names.map((exported) => `${exported}_ as ${exported}`).join(', ');
          return {
            contents: `const { ${taken} } = require('${prefixOfParts}${name}');\nexport { ${given} };`,
          };
        });
      }
    },
  };
}
