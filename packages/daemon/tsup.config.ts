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
  // Those who embed the daemon read its types; the programs have none.
  dts: {
    entry: { daemon: 'src/daemon.ts', checks: 'src/checks/index.ts', 'node-version': 'src/node-version.ts' },
    resolve: [/^@uptime\//],
  },
  // Everything is inside but what must be installed for the platform, and what pg only tries for.
  noExternal: [/^(?!better-sqlite3$|pg-native$)/],
  external: ['better-sqlite3', 'pg-native'],
  esbuildPlugins: [embedBrotli, withoutDownloads],
  esbuildOptions(options) {
    options.conditions = ['x-source'];
    options.legalComments = 'none';
  },
  // CommonJS packages inside the bundle ask for built-ins by `require`, which an ES module has not.
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module';\nconst require = __createRequire(import.meta.url);",
  },
});
