import { join } from 'node:path';
import { defineConfig, type Options } from 'tsup';

const pingSource = 'src/commands/ping/quick.ts';

/**
 * Bundles what sends a plain ping into one file, `ping.js`, without a share in the others: each further file costs a
 * ping a millisecond and more.
 */
const pingApart: NonNullable<Options['esbuildPlugins']>[number] = {
  name: 'ping-apart',
  setup(build) {
    const { esbuild, initialOptions } = build;
    build.onResolve({ filter: /\/commands\/ping\/quick\.ts$/ }, () => ({ path: './ping.js', external: true }));
    build.onEnd(async () => {
      const { format, platform, target, conditions, minifySyntax, minifyWhitespace, outdir = 'dist' } = initialOptions;
      await esbuild.build({
        entryPoints: [pingSource],
        outfile: join(outdir, 'ping.js'),
        bundle: true,
        format,
        platform,
        target,
        conditions,
        minifySyntax,
        minifyWhitespace,
      });
    });
  },
};

export default defineConfig({
  // The entry tests Node's version and then loads the rest; each command loads only what it needs.
  entry: { uptime: 'src/bin.ts', index: 'src/index.ts' },
  format: 'esm',
  platform: 'node',
  target: 'node22',
  clean: true,
  splitting: true,
  dts: { entry: { index: 'src/index.ts' }, resolve: [/^@uptime\//] },
  noExternal: [/^(?!better-sqlite3$|pg-native$)/],
  external: ['better-sqlite3', 'pg-native'],
  esbuildPlugins: [pingApart],
  esbuildOptions(options) {
    options.conditions = ['x-source', 'wintercg'];
    options.legalComments = 'none';
    options.minifySyntax = true;
    options.minifyWhitespace = true;
  },
  // CommonJS packages inside the bundle ask for built-ins by `require`, which an ES module has not.
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module';\nconst require = __createRequire(import.meta.url);",
  },
});
