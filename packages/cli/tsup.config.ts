import { defineConfig } from 'tsup';
import { embedBrotli } from '../../scripts/build/embed-brotli.ts';
import { englishOnly } from '../../scripts/build/english-only.ts';
import { startApart } from '../../scripts/build/start-apart.ts';

export default defineConfig({
  // `startApart` adds `uptime.js`, which starts the program. `splitting` lets each command load only what it needs.
  entry: { main: 'src/main.ts', index: 'src/index.ts' },
  format: 'esm',
  platform: 'node',
  target: 'node22',
  clean: true,
  splitting: true,
  dts: { entry: { index: 'src/index.ts' }, resolve: [/^@uptime\//] },
  noExternal: [/^(?!better-sqlite3$|pg-native$)/],
  external: ['better-sqlite3', 'pg-native'],
  esbuildPlugins: [embedBrotli, englishOnly, startApart],
  esbuildOptions(options) {
    options.conditions = ['x-source', 'wintercg'];
    options.legalComments = 'none';
    options.minifySyntax = true;
    options.minifyWhitespace = true;
  },
  // CommonJS packages in the bundle load built-ins by `require`, which ES modules lack.
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module';\nconst require = __createRequire(import.meta.url);",
  },
});
