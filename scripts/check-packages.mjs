// Checks the packages as they would be published: packs each, checks its package.json and its types, and measures the
// SDK's size in a browser. Needs a build.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const root = new URL('..', import.meta.url).pathname;
const published = ['sdk', 'daemon', 'cli'];
/** The largest size of the SDK with its dependency, minified and gzipped, in bytes. */
const maxBytes = 8 * 1024;

const folder = mkdtempSync(join(tmpdir(), 'uptime-packages-'));
try {
  for (const name of published) checkPackage(name);
  await checkSize();
} finally {
  rmSync(folder, { recursive: true });
}

function checkPackage(name) {
  const packed = run(
    'npm',
    ['pack', '--json', '--ignore-scripts', '--pack-destination', folder],
    join(root, 'packages', name),
  );
  const [{ filename, files }] = Object.values(JSON.parse(packed));
  const tarball = join(folder, filename);
  run(join(root, 'node_modules/.bin/publint'), ['run', tarball, '--strict']);
  run(join(root, 'node_modules/.bin/attw'), [tarball, '--profile', 'esm-only', '--no-emoji']);
  console.log(`packages/${name}: ${files.length} files, no errors from publint and attw`);
}

async function checkSize() {
  const bundle = await build({
    entryPoints: [join(root, 'packages/sdk/dist/index.js')],
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    write: false,
  });
  const bytes = gzipSync(bundle.outputFiles[0].contents, { level: 9 }).length;
  console.log(`packages/sdk: ${bytes} bytes gzipped with its dependency, of ${maxBytes} allowed`);
  if (bytes > maxBytes) throw new Error('The SDK is too large.');
}

/** Runs a program and returns its output. If it fails, throws with all its output. */
function run(program, args, cwd = root) {
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd, encoding: 'utf8' });
  if (error) throw error;
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed:\n${stdout}${stderr}`);
  return stdout;
}
