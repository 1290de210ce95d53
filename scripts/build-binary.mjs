// Makes dist/uptimed, one executable that contains Node and all programs, and the link dist/uptime for the CLI.
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { dropLibatomic } from './build/drop-libatomic.ts';
import { brotliWasm } from './build/embed-brotli.ts';
import { compileProgram, compilerParts } from './build/compile-program.mjs';
import { nodeFlags } from './build/node-flags.ts';
import { buildForBinary } from './build/program.mjs';
import { alone } from './ready/alone.mjs';
import { fail, root } from './ready/root.mjs';

const suffix = process.platform === 'win32' ? '.exe' : '';
const dist = join(root, 'dist');

// This build also creates the files that the server offers for download. They become part of the executable.
const { status } = spawnSync(process.execPath, [join(root, 'scripts/build.mjs'), 'program'], { stdio: 'inherit' });
if (status !== 0) process.exit(status ?? 1);

await alone('binary', async () => {
  mkdirSync(dist, { recursive: true });
  const work = mkdtempSync(join(dist, '.binary-'));
  process.once('exit', () => rmSync(work, { recursive: true, force: true }));
  // esbuild has already printed the error with file and line.
  const bundles = await buildForBinary(work).catch((error) => fail(`The program could not be built: ${error.message}`));
  const built = seal(work, bundles);
  const uptimed = join(dist, `uptimed${suffix}`);
  renameSync(built, uptimed);
  const uptime = join(dist, `uptime${suffix}`);
  rmSync(uptime, { force: true });
  linkSync(uptimed, uptime);
  process.stderr.write(`dist/uptimed (also dist/uptime), ${Math.round(statSync(uptimed).size / 1e6)} MB\n`);
});

/** Makes the executable: a copy of this Node with the bundles, their compiled code, SQLite and the brotli decoder. */
function seal(work, { main, parts }) {
  const base = join(work, `node${suffix}`);
  copyFileSync(realpathSync(process.execPath), base);
  chmodSync(base, 0o755);
  // Debug symbols are a fifth of Node. They are removed now, because a later `strip` would also remove the assets.
  if (process.platform === 'linux') spawnSync('strip', [base], { stdio: 'ignore' });
  const assets = { 'sqlite.node': sqliteAddon(), 'brotli.wasm': brotliWasm, ...parts, ...downloads() };
  const compiler = makeExecutable(work, {
    name: 'compiler',
    main,
    base,
    assets: { ...assets, ...compilerParts(work) },
  });
  const output = makeExecutable(work, {
    name: 'uptimed',
    main,
    base,
    assets: { ...assets, 'apart/uptimed.code': compileProgram(compiler, work) },
  });
  if (process.platform === 'linux') startWithoutLibatomic(output);
  return output;
}

/**
 * Makes an executable: a copy of Node with the assets, and with a snapshot. The snapshot is the memory of V8 after a
 * run of the main file.
 */
function makeExecutable(work, { name, main, base, assets }) {
  const output = join(work, `${name}${suffix}`);
  const recipe = join(work, `${name}.json`);
  writeFileSync(
    recipe,
    JSON.stringify({
      main,
      executable: base,
      output,
      useSnapshot: true,
      disableExperimentalSEAWarning: true,
      // The executable still reads NODE_OPTIONS, with which operators limit memory and add trusted roots.
      execArgv: nodeFlags,
      execArgvExtension: 'env',
      assets,
    }),
  );
  // V8 accepts compiled code only together with the same snapshot. With a fixed seed, both executables of the build get
  // the same snapshot. At each start, the executable still gets a new random seed.
  const args = ['--random-seed=1', '--build-sea', recipe];
  const done = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (done.status !== 0)
    fail(
      `${done.stdout}${done.stderr}\nThe executable could not be built with Node ${process.version}; it needs 26 or newer.`,
    );
  if (process.platform === 'darwin') spawnSync('codesign', ['--sign', '-', output], { stdio: 'ignore' });
  return output;
}

/**
 * Removes the executable's need for libatomic. Runs after the assets were added, because adding them rewrites the
 * headers.
 */
function startWithoutLibatomic(output) {
  const elf = readFileSync(output);
  const reason = dropLibatomic(elf);
  if (reason === null) writeFileSync(output, elf);
  else process.stderr.write(`The executable needs the package libatomic1 at run time, because ${reason}.\n`);
}

/**
 * Returns the files that the daemon offers for download. The downloads always have the version of the executable that
 * contains them.
 */
function downloads() {
  const folder = join(dist, 'downloads');
  return Object.fromEntries(readdirSync(folder).map((name) => [`downloads/${name}`, join(folder, name)]));
}

function sqliteAddon() {
  const { getPrebuildPath } = createRequire(import.meta.url)(
    join(dirname(createRequire(import.meta.url).resolve('better-sqlite3')), 'binding.js'),
  );
  return getPrebuildPath() ?? fail(`better-sqlite3 has no prebuilt binary for ${process.platform} on ${process.arch}.`);
}
