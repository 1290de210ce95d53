import { chmodSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { root } from '../ready/root.mjs';
import { brotliFromAssets, embedBrotli } from './embed-brotli.ts';
import { pingApart } from './ping-apart.ts';

const bundled = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node22',
  conditions: ['x-source'],
  legalComments: 'none',
  logLevel: 'error',
  // CommonJS packages inside the bundle ask for built-ins by `require`, which an ES module has not.
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module';\nconst require = __createRequire(import.meta.url);",
  },
};

/** Nothing may be read from beside the program, so the quickstart's manifest travels inside it. */
const embedManifest = {
  name: 'embed-manifest',
  setup(context) {
    context.onLoad({ filter: /[/\\]quickstart[/\\]embedded-manifest\.ts$/ }, () => {
      const file = join(root, 'examples/quickstart/monitors.yaml');
      const text = readFileSync(file, 'utf8');
      return { contents: `export const quickstartManifest = () => ${JSON.stringify(text)};`, watchFiles: [file] };
    });
  },
};

/** Packages reach for these only where they are installed; here they never are. */
const absent = ['pg-native', 'better-sqlite3/build'];

/**
 * In the executable `import.meta.url` is made of where it lies. Without `/proc` Node knows that as it was called alone,
 * which may be a relative path. Only built-ins are asked for there, so any absolute place does.
 */
const requireInBinary = `import { createRequire as __createRequire } from 'node:module';
const require = __createRequire(/^file:\\/\\/\\//.test(import.meta.url) ? import.meta.url : 'file:///uptimed');`;

/** `dist/program/main.js`: daemon, CLI and quickstart in one program for Node. */
export async function buildProgram() {
  const outdir = join(root, 'dist/program');
  rmSync(outdir, { recursive: true, force: true });
  await build({
    ...bundled,
    entryPoints: { main: 'bin/main.ts' },
    outdir,
    // The entry stays a file without dependencies, so that it can greet a Node that is too old to load the rest.
    splitting: true,
    external: ['better-sqlite3', ...absent],
    plugins: [embedManifest, embedBrotli, pingApart],
  });
  chmodSync(join(outdir, 'main.js'), 0o755);
}

/** One file with everything in it, for the single executable; its SQLite and brotli come from the executable's assets. */
export async function buildForBinary(outfile) {
  await build({
    ...bundled,
    entryPoints: ['bin/main.ts'],
    outfile,
    target: 'node26',
    banner: { js: requireInBinary },
    minifySyntax: true,
    minifyWhitespace: true,
    external: absent,
    alias: { 'better-sqlite3': join(root, 'bin/embedded-sqlite.cjs') },
    plugins: [embedManifest, brotliFromAssets],
  });
}
