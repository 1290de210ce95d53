// Prepares a clone: installs the packages of the lock file, and with the argument `build` builds what has changed. The
// scripts in package.json call this file first, with the Node that runs npm, because the Node in node_modules may not
// start on this system. So this file must run on Node 18, and in a clone without node_modules.
import { existsSync } from 'node:fs';
import { delimiter, join, sep } from 'node:path';
import { installed } from './ready/installed.mjs';
import { alone } from './ready/alone.mjs';
import { checkLockedNode, whyInstallFailed } from './ready/locked-node.mjs';
import { fail, root } from './ready/root.mjs';
import { run } from './ready/run.mjs';

const parts = process.argv.slice(2);
if (parts.some((part) => part !== 'build' && part !== 'program'))
  fail(`ready.mjs accepts only "build" and "program", not "${parts.join(' ')}".`);

if (!installed()) await alone('install', () => installed() || install());
checkLockedNode();
for (const part of parts) {
  // The build runs in another process, because it needs the repository's Node, which may just have been installed.
  const { code } = await run(repositoryNode(), [join(root, 'scripts/build.mjs'), part], { stdio: 'inherit' });
  if (code !== 0) process.exit(code ?? 1);
}

async function install() {
  say('Installing packages, about 20 seconds…');
  const done = await run('npm', ['ci', '--loglevel=error', '--include=dev', '--include=optional'], {
    cwd: root,
    env: cleanEnvironment(),
    stdio: ['ignore', 2, 'pipe'],
    shell: process.platform === 'win32',
  });
  process.stderr.write(done.text ?? '');
  if (done.error) fail(`npm could not be started: ${done.error.message}`);
  if (done.signal) fail('The installation was interrupted. Run the command again to restart it.');
  if (done.code !== 0)
    fail(
      whyInstallFailed(done.text) ??
        `The packages could not be installed (npm ci exited with ${done.code}); see the reason above.`,
    );
  if (!installed()) fail('npm ci succeeded, but packages of the lock file are missing in node_modules.');
}

/** Returns the environment without the variables of the calling npm, which would change the inner npm. */
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
  // npm is about to replace node_modules, so npm must not find programs there.
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
