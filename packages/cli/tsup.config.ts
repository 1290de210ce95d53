import { defineConfig, type Options } from 'tsup';

const common: Options = {
  format: 'esm',
  platform: 'node',
  target: 'node22',
  noExternal: [/^(?!better-sqlite3$|pg-native$)/],
  external: ['better-sqlite3', 'pg-native'],
  esbuildOptions(options) {
    options.conditions = ['x-source', 'wintercg'];
    options.legalComments = 'none';
    options.minifySyntax = true;
    options.minifyWhitespace = true;
  },
};

export default defineConfig([
  {
    ...common,
    // The entry tests Node's version and then loads the rest; each command loads only what it needs.
    entry: { uptime: 'src/bin.ts', index: 'src/index.ts' },
    clean: ['!ping.js'],
    splitting: true,
    dts: { entry: { index: 'src/index.ts' }, resolve: [/^@uptime\//] },
    esbuildPlugins: [
      {
        name: 'ping-apart',
        setup: (build) =>
          build.onResolve({ filter: /\/commands\/ping\/quick\.ts$/ }, () => ({ path: './ping.js', external: true })),
      },
    ],
    // CommonJS packages inside the bundle ask for built-ins by `require`, which an ES module has not.
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module';\nconst require = __createRequire(import.meta.url);",
    },
  },
  // One file, without a share in the others: each further file costs a ping a millisecond and more.
  { ...common, entry: { ping: 'src/commands/ping/quick.ts' }, splitting: false, clean: false, dts: false },
]);
