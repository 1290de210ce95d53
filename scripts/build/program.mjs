import { chmodSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { root } from '../ready/root.mjs';
import { bundled } from './bundled.mjs';
import { leaveOut } from './leave-out.ts';
import { loadLate } from './load-late.ts';
import { bundlePackagesApart, leavePackagesApart } from './packages-apart.ts';
import { downloadsBeside, downloadsFromAssets, withoutDownloads } from './program-files.ts';
import { brotliFromAssets, embedBrotli } from './embed-brotli.ts';
import { englishOnly } from './english-only.ts';
import { plainPrefixes } from './plain-prefixes.ts';
import { bundlePrograms } from './programs-apart.ts';
import { bundleSnapshotParts, takeFromSnapshot } from './snapshot-parts.ts';
import { pingApart } from './start-apart.ts';

/**
 * For esbuild: puts the quickstart's manifest into the program, because a program may be copied without other files.
 */
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

/**
 * Optional modules, which packages load only if the modules are installed. These modules are never installed, so the
 * bundles leave them out.
 */
const absent = ['pg-native', 'better-sqlite3/build'];

/** Builds `dist/program/main.js`: daemon, CLI and quickstart in one program for Node. */
export async function buildProgram() {
  const outdir = join(root, 'dist/program');
  rmSync(outdir, { recursive: true, force: true });
  await build({
    ...bundled,
    entryPoints: { main: 'bin/main.ts' },
    outdir,
    // The code is split into several files. The first file has no dependencies, so that it can print an error if Node
    // is too old for the other files.
    splitting: true,
    external: ['better-sqlite3', ...absent],
    plugins: [embedManifest, embedBrotli, downloadsBeside, pingApart, leaveOut, plainPrefixes, englishOnly],
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
    plugins: [
      embedManifest,
      embedBrotli,
      withoutDownloads,
      leaveOut,
      plainPrefixes,
      englishOnly,
      outside('better-sqlite3', sqlite),
    ],
  });
}

/** For esbuild: leaves a package out of the bundle. The bundle loads the package from the given path. */
const outside = (name, path) => ({
  name: `outside-${name}`,
  setup(context) {
    context.onResolve({ filter: new RegExp(`^${name}$`) }, () => ({ path, external: true }));
  },
});

/**
 * Builds the programs of the single executable into a folder. Returns the main file, the modules for the snapshot, and
 * the parts: the programs, and the packages that a program loads when it needs them.
 *
 * All these files are CommonJS modules. In an executable, an ES module can import only Node's own modules, and a
 * start with ES modules loads more of Node's modules. Names in the code are kept, so that stack traces can be read.
 */
export async function buildForBinary(folder) {
  const options = {
    ...bundled,
    format: 'cjs',
    target: 'node26',
    banner: {},
    minifySyntax: true,
    minifyWhitespace: true,
    // esbuild turns `import()` into `require`, and the executable has its own `require` (bin/require-parts.cjs).
    supported: { 'dynamic-import': false },
    external: absent,
  };
  const main = join(folder, 'main.cjs');
  await build({ ...options, entryPoints: ['bin/load-program.cjs'], outfile: main });
  const partsInSnapshot = await bundleSnapshotParts(options, folder);
  const whole = {
    ...options,
    alias: { 'better-sqlite3': join(root, 'bin/embedded-sqlite.cjs') },
    plugins: [
      embedManifest,
      brotliFromAssets,
      downloadsFromAssets,
      leaveOut,
      plainPrefixes,
      englishOnly,
      leavePackagesApart,
      takeFromSnapshot(partsInSnapshot),
      loadLate,
    ],
  };
  return {
    main,
    partsInSnapshot,
    parts: { ...(await bundlePrograms(whole, folder)), ...(await bundlePackagesApart(options, folder)) },
  };
}
