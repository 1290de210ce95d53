// Makes a clone ready to run: installs what the lock file names, and with the argument `build` builds what changed.
// The scripts in package.json call it first, on the Node that runs npm: the one in node_modules may not start here. So it
// must run on Node 18, and on a clone without node_modules.
import { existsSync } from 'node:fs';
import { delimiter, join, sep } from 'node:path';
import { installed } from './ready/installed.mjs';
import { alone } from './ready/alone.mjs';
import { checkLockedNode } from './ready/locked-node.mjs';
import { fail, root } from './ready/root.mjs';
import { run } from './ready/run.mjs';

const parts = process.argv.slice(2);
if (parts.some((part) => part !== 'build' && part !== 'program'))
  fail(`ready.mjs knows "build" and "program", not "${parts.join(' ')}".`);

if (!installed()) await alone('install', () => installed() || install());
checkLockedNode();
for (const part of parts) {
  // A process of its own: the build runs on the repository's Node, which may have been installed just now.
  const { code } = await run(repositoryNode(), [join(root, 'scripts/build.mjs'), part], { stdio: 'inherit' });
  if (code !== 0) process.exit(code ?? 1);
}

async function install() {
  say('Installing packages, about 20 seconds…');
  const done = await run('npm', ['ci', '--loglevel=error', '--include=dev', '--include=optional'], {
    cwd: root,
    env: cleanEnvironment(),
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (done.error) fail(`npm could not be started: ${done.error.message}`);
  if (done.signal) fail('The installation was interrupted. Start again, and it begins anew.');
  if (done.code !== 0)
    fail(`The packages could not be installed (npm ci ended with ${done.code}); the reason stands above.`);
  if (!installed()) fail('npm ci ended well, but packages of the lock file are missing in node_modules.');
}

/** The environment without what the calling npm put there: its settings of this run would change the inner one. */
function cleanEnvironment() {
  const env = { ...process.env };
  for (const name of Object.keys(env)) {
    if (
      /^npm_(lifecycle|package|command|node)|^npm_config_(engine_strict|local_prefix|dry_run|omit|production|workspaces?|include_workspace_root)$|^(INIT_CWD|NODE|NODE_ENV)$/i.test(
        name,
      )
    )
      delete env[name];
  }
  const path = Object.keys(env).find((name) => name.toUpperCase() === 'PATH') ?? 'PATH';
  // node_modules is about to be replaced: the npm that replaces it must not run from there.
  env[path] = (env[path] ?? '')
    .split(delimiter)
    .filter((folder) => !folder.split(sep).includes('node_modules'))
    .join(delimiter);
  return env;
}

function repositoryNode() {
  const own = join(root, 'node_modules/.bin/node');
  return existsSync(own) ? own : process.execPath;
}

function say(text) {
  process.stderr.write(`${text}\n`);
}
