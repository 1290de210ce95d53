import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { root } from '../ready/root.mjs';
import { bundled } from './bundled.mjs';
import { embedBrotli } from './embed-brotli.ts';
import { englishOnly } from './english-only.ts';
import { startApart } from './start-apart.ts';

/**
 * Makes the files that a daemon offers for download, in `dist/downloads`: CLI and SDK as npm packages without
 * dependencies, the CLI as one file, and the schema of manifests. Needs the built SDK.
 */
export async function buildDownloads() {
  const work = mkdtempSync(join(root, 'dist/.downloads-'));
  try {
    const made = join(work, 'made');
    mkdirSync(made);
    await Promise.all([packCli(join(work, 'cli'), made), cliInOneFile(join(made, 'uptime.mjs'))]);
    await packSdk(join(work, 'sdk'), made);
    copyFileSync(join(root, 'packages/cli/schema/monitors.schema.json'), join(made, 'monitors.schema.json'));
    const target = join(root, 'dist/downloads');
    rmSync(target, { recursive: true, force: true });
    renameSync(made, target);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

const cli = { ...bundled, minifySyntax: true, minifyWhitespace: true, plugins: [embedBrotli, englishOnly, startApart] };

async function packCli(folder, made) {
  await build({
    ...cli,
    entryPoints: { main: join(root, 'packages/cli/src/main.ts') },
    outdir: join(folder, 'dist'),
    splitting: true,
  });
  for (const name of ['schema', 'man'])
    cpSync(join(root, 'packages/cli', name), join(folder, name), { recursive: true });
  const { name, version, description, license, type, bin, man, engines } = manifestOf('cli');
  pack(folder, { name, version, description, license, type, bin, man, engines }, join(made, 'cli.tgz'));
}

/**
 * Bundles the CLI into one file. A package.json beside the installed file may make Node read it as CommonJS or as an ES
 * module. So the file is only a function call, which is valid in both. An old Node has no `getBuiltinModule`; there,
 * the program prints which version it needs.
 */
const cliInOneFile = (outfile) =>
  build({
    ...cli,
    entryPoints: [join(root, 'packages/cli/src/bin.ts')],
    outfile,
    plugins: [embedBrotli, englishOnly],
    format: 'cjs',
    banner: { js: '(function (require) {' },
    footer: { js: "})(process.getBuiltinModule?.('node:module').createRequire(process.execPath));" },
  });

async function packSdk(folder, made) {
  cpSync(join(root, 'packages/sdk/dist'), join(folder, 'dist'), {
    recursive: true,
    filter: (path) => !path.endsWith('.built'),
  });
  await build({
    ...bundled,
    platform: 'neutral',
    mainFields: ['module', 'main'],
    target: 'es2023',
    banner: {},
    entryPoints: ['index', 'contract', 'testing'].map((name) => join(root, `packages/sdk/dist/${name}.js`)),
    outdir: join(folder, 'dist'),
    splitting: true,
    external: ['zod'],
    allowOverwrite: true,
  });
  // This package.json does not name zod, an optional peer. Otherwise npm would ask the registry for zod. Without
  // internet, npm would retry for over a minute.
  const { name, version, description, license, type, sideEffects, exports, engines } = manifestOf('sdk');
  const manifest = {
    name,
    version,
    description,
    license,
    type,
    sideEffects,
    exports: withoutSources(exports),
    engines,
  };
  pack(folder, manifest, join(made, 'sdk.tgz'));
}

/** Returns the exports without the condition `x-source`, because the package has no sources. */
const withoutSources = (exports) =>
  Object.fromEntries(
    Object.entries(exports).map(([path, target]) => {
      if (typeof target === 'string') return [path, target];
      const { 'x-source': _, ...rest } = target;
      return [path, rest];
    }),
  );

const manifestOf = (name) => JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8'));

/** Packs a folder with `npm pack`, which gives every file the same time. So the same sources give the same package. */
function pack(folder, manifest, target) {
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest, null, 2));
  const { status, stdout, stderr } = spawnSync('npm', ['pack', '--json', '--ignore-scripts', '--offline'], {
    cwd: folder,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  if (status !== 0) throw new Error(`npm pack failed:\n${stdout}${stderr}`);
  const [{ filename }] = Object.values(JSON.parse(stdout));
  renameSync(join(folder, filename), target);
}
