import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'esbuild';

const pingSource = fileURLToPath(new URL('../../packages/cli/src/commands/ping/quick.ts', import.meta.url));

/**
 * For esbuild: bundles what sends a plain ping into one file, `ping.js`, without a share in the others: each further
 * file costs a ping a millisecond and more.
 */
export const pingApart: Plugin = {
  name: 'ping-apart',
  setup(build) {
    const { esbuild, initialOptions } = build;
    build.onResolve({ filter: /\/commands\/ping\/quick\.ts$/ }, () => ({ path: './ping.js', external: true }));
    build.onEnd(async () => {
      const { format, platform, target, conditions, outdir = 'dist' } = initialOptions;
      await esbuild.build({
        entryPoints: [pingSource],
        outfile: join(outdir, 'ping.js'),
        bundle: true,
        format,
        platform,
        target,
        conditions,
        minifySyntax: true,
        minifyWhitespace: true,
      });
    });
  },
};
