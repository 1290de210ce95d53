import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { root } from '../ready/root.mjs';
import { bundled } from './bundled.mjs';
import { embedBrotli } from './embed-brotli.ts';
import { pingApart } from './ping-apart.ts';

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

const cli = { ...bundled, minifySyntax: true, minifyWhitespace: true, plugins: [embedBrotli, pingApart] };

async function packCli(folder, made) {
  await build({
    ...cli,
    entryPoints: { uptime: join(root, 'packages/cli/src/bin.ts') },
    outdir: join(folder, 'dist'),
    splitting: true,
  });
  cpSync(join(root, 'packages/cli/schema'), join(folder, 'schema'), { recursive: true });
  const { name, version, description, license, type, bin, engines } = manifestOf('cli');
  pack(folder, { name, version, description, license, type, bin, engines }, join(made, 'cli.tgz'));
}

const cliInOneFile = (outfile) =>
  build({ ...cli, entryPoints: [join(root, 'packages/cli/src/bin.ts')], outfile, plugins: [embedBrotli] });

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
  const { dependencies: _, devDependencies: __, exports, ...manifest } = manifestOf('sdk');
  pack(folder, { ...manifest, exports: withoutSources(exports) }, join(made, 'sdk.tgz'));
}

/** The package has no sources for the condition `x-source`. */
const withoutSources = (exports) =>
  Object.fromEntries(
    Object.entries(exports).map(([path, target]) => {
      if (typeof target === 'string') return [path, target];
      const { 'x-source': _, ...rest } = target;
      return [path, rest];
    }),
  );

const manifestOf = (name) => JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8'));

/** `npm pack` gives every file the same time, so the same sources give the same package. */
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
