// Builds the parts that changed since the last build. With `program`, builds only those that `npm start` needs.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { linkProgram } from './build/link-program.mjs';
import { sourcesHash } from './build/sources-hash.mjs';
import { alone } from './ready/alone.mjs';
import { fail, root } from './ready/root.mjs';
import { run } from './ready/run.mjs';

const what = process.argv[2] ?? 'build';
const parts = what === 'program' ? ['sdk', 'program'] : ['sdk', 'daemon', 'cli', 'program'];

await alone('build', async () => {
  const hash = sourcesHash();
  const stale = parts.filter((part) => stampOf(part) !== hash);
  if (stale.length > 0) await buildAll(stale, hash);
  linkProgram();
});

async function buildAll(stale, hash) {
  const begun = performance.now();
  process.stderr.write(`Building ${stale.join(', ')}…\n`);
  await Promise.all(stale.map(buildPart));
  // The downloads contain the built SDK, so they are made after it. Any change of a source makes them out of date.
  if (stale.includes('program')) await makeDownloads();
  for (const part of stale) writeFileSync(stampFile(part), hash);
  process.stderr.write(`Built in ${((performance.now() - begun) / 1000).toFixed(1)} s.\n`);
}

async function buildPart(part) {
  if (part === 'program') {
    const { buildProgram } = await import('./build/program.mjs');
    // esbuild has already printed the error with file and line.
    return buildProgram().catch((error) => fail(`The program could not be built: ${error.message}`));
  }
  const tsup = join(root, 'node_modules/tsup/dist/cli-default.js');
  const { code, text } = await run(process.execPath, [tsup, '--silent', '--clean'], {
    cwd: join(root, 'packages', part),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (code !== 0) fail(`${text}\nThe package ${part} could not be built.`);
}

async function makeDownloads() {
  const { buildDownloads } = await import('./build/downloads.mjs');
  return buildDownloads().catch((error) => fail(`The downloads could not be built: ${error.message}`));
}

function stampFile(part) {
  return part === 'program' ? join(root, 'dist/program/.built') : join(root, 'packages', part, 'dist/.built');
}

function stampOf(part) {
  return existsSync(stampFile(part)) ? readFileSync(stampFile(part), 'utf8') : undefined;
}
