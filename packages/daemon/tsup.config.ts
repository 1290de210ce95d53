import { defineConfig } from 'tsup';
import { withoutDownloads } from '../../scripts/build/program-files.ts';
import { embedBrotli } from '../../scripts/build/embed-brotli.ts';

export default defineConfig({
  entry: {
    uptimed: 'src/bin.ts',
    daemon: 'src/daemon.ts',
    checks: 'src/checks/index.ts',
    'node-version': 'src/node-version.ts',
  },
  format: 'esm',
  platform: 'node',
  target: 'node22',
  clean: true,
  // Programs that embed the daemon use its types. `src/bin.ts` exports none, so it is not listed.
  dts: {
    entry: { daemon: 'src/daemon.ts', checks: 'src/checks/index.ts', 'node-version': 'src/node-version.ts' },
    resolve: [/^@uptime\//],
  },
  // Bundles everything except better-sqlite3, which depends on the platform, and pg-native, an optional package of pg.
  noExternal: [/^(?!better-sqlite3$|pg-native$)/],
  external: ['better-sqlite3', 'pg-native'],
  esbuildPlugins: [embedBrotli, withoutDownloads],
  esbuildOptions(options) {
    options.conditions = ['x-source'];
    options.legalComments = 'none';
  },
  // CommonJS packages in the bundle load built-ins by `require`, which ES modules lack.
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module';\nconst require = __createRequire(import.meta.url);",
  },
});
