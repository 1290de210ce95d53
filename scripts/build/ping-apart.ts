import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'esbuild';

const pingSource = fileURLToPath(new URL('../../packages/cli/src/commands/ping/quick.ts', import.meta.url));

/**
 * For esbuild: bundles the code for a plain ping into one file, `ping.js`, which shares nothing with the others. Each
 * further file would cost a ping more than a millisecond.
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
