// Runs the tests, and prints a last line with their counts. Arguments go to vitest: `npm test -- packages/sdk`. Without a
// path, the tests of `npm run test:system` are left out.
import { spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './ready/root.mjs';
import { makeRunFolder } from './test-run/run-folder.mjs';

const args = process.argv.slice(2);
const hasPath = args.some((arg) => !arg.startsWith('-'));
const projects = ['all', 'two-nodes', ...(hasPath ? ['processes', 'artifacts', 'browser', 'timed'] : [])];
const folder = makeRunFolder();
const countsFile = join(folder, 'counts.json');
const vitest = [
  join(root, 'node_modules/vitest/vitest.mjs'),
  'run',
  ...(args.some((arg) => arg.startsWith('--project')) ? [] : projects.flatMap((name) => ['--project', name])),
  '--reporter=default',
  `--reporter=${join(root, 'scripts/test-run/count-reporter.mjs')}`,
  ...args,
];

const child = spawn(process.execPath, vitest, {
  cwd: root,
  stdio: 'inherit',
  env: {
    ...process.env,
    TMPDIR: folder,
    NODE_COMPILE_CACHE: join(folder, 'compiled'),
    UPTIME_TEST_COUNTS: countsFile,
  },
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.on('exit', (code, signal) => {
  const counts = readCounts();
  // A worker of an interrupted run may still write into the folder, so the removal is retried.
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 });
  // A filter by name skips tests on purpose. Without a filter, a skipped test counts as failed.
  const onPurpose = args.some((arg) => /^(-t|--testNamePattern)\b/.test(arg));
  const skipped = onPurpose ? 0 : counts.skipped;
  if (skipped > 0) process.stdout.write(`${skipped} skipped: a skipped test counts as failed.\n`);
  const failed = counts.failed + skipped;
  const isEmpty = counts.passed + failed === 0;
  if (isEmpty) process.stdout.write('no test ran: no test has this path or name.\n');
  const ended = code === 0 && failed === 0 && !isEmpty ? 0 : 1;
  if (signal) process.stdout.write(`vitest was stopped by ${signal}.\n`);
  process.stdout.write(`${counts.passed} passed, ${ended && failed === 0 ? 1 : failed} failed\n`);
  process.exitCode = ended;
});

function readCounts() {
  try {
    return JSON.parse(readFileSync(countsFile, 'utf8'));
  } catch (error) {
    process.stdout.write(`vitest ended without a result (${error.code ?? error.message}).\n`);
    return { passed: 0, failed: 0, skipped: 0 };
  }
}
