import { chmodSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { root } from '../ready/root.mjs';
import { bundled } from './bundled.mjs';
import { downloadsBeside, downloadsFromAssets, withoutDownloads } from './program-files.ts';
import { brotliFromAssets, embedBrotli } from './embed-brotli.ts';
import { pingApart } from './ping-apart.ts';

/** The program may read no other file of its own, so the quickstart's manifest is part of it. */
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

/** Packages load these only if they are installed, which is never the case here. */
const absent = ['pg-native', 'better-sqlite3/build'];

/**
 * In the executable, `import.meta.url` comes from the path of the executable. Without `/proc`, Node knows only the path
 * by which it was started, which may be relative. Only built-ins are loaded there, so any absolute path works.
 */
const requireInBinary = `import { createRequire as __createRequire } from 'node:module';
const require = __createRequire(/^file:\\/\\/\\//.test(import.meta.url) ? import.meta.url : 'file:///uptimed');`;

/** Builds `dist/program/main.js`: daemon, CLI and quickstart in one program for Node. */
export async function buildProgram() {
  const outdir = join(root, 'dist/program');
  rmSync(outdir, { recursive: true, force: true });
  await build({
    ...bundled,
    entryPoints: { main: 'bin/main.ts' },
    outdir,
    // The entry has no dependencies, so that it can print an error under a Node that is too old for the rest.
    splitting: true,
    external: ['better-sqlite3', ...absent],
    plugins: [embedManifest, embedBrotli, downloadsBeside, pingApart],
  });
  chmodSync(join(outdir, 'main.js'), 0o755);
}

/** Builds the programs that tests start, each under its own name. `sqlite` is the path of the native package. */
export async function buildTestPrograms(outdir, sqlite) {
  await build({
    ...bundled,
    entryPoints: {
      main: 'bin/main.ts',
      uptimed: 'packages/daemon/src/bin.ts',
      uptime: 'packages/cli/src/bin.ts',
      faulty: 'test/faults/faulty-daemon.ts',
    },
    outdir,
    splitting: true,
    external: absent,
    plugins: [embedManifest, embedBrotli, withoutDownloads, outside('better-sqlite3', sqlite)],
  });
}

/** For esbuild: leaves a package out of the bundle, which loads it from the given path. */
const outside = (name, path) => ({
  name: `outside-${name}`,
  setup(context) {
    context.onResolve({ filter: new RegExp(`^${name}$`) }, () => ({ path, external: true }));
  },
});

/** Builds everything into one file for the single executable, whose assets hold SQLite and brotli. */
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
    plugins: [embedManifest, brotliFromAssets, downloadsFromAssets],
  });
}
