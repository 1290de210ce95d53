#!/usr/bin/env node
/**
 * One program under several names. If it is started as `uptime` or `uptimectl`, it is the command line. Under any other
 * name it is the daemon. The command `quickstart` demonstrates both.
 */
import { basename } from 'node:path';
import { requireNode } from '../packages/daemon/src/node-version.ts';

// Checks the version of Node before any other file loads, because an older Node cannot parse the other files.
requireNode('uptime', process);

/** Loads only the program that this start needs. It is a function, because the executable has no top-level `await`. */
async function start(): Promise<void> {
  const name = basename(process.argv[1] ?? '').replace(/\.(exe|js)$/, '');
  const [command] = process.argv.slice(2);
  if (command === 'quickstart') {
    const { main } = await import('./quickstart/main.ts');
    await main();
  } else if (/^uptime(?!d)/.test(name)) {
    await import('../packages/cli/src/bin.ts');
  } else {
    const { main } = await import('../packages/daemon/src/main.ts');
    await main();
    if (command === undefined || /^(help|--help|-h)$/.test(command)) {
      process.stdout.write('`uptimed quickstart` serves an example with an account and a project.\n');
      process.stdout.write('Under the name `uptime`, this program is the command line.\n');
    }
  }
}

void start();
