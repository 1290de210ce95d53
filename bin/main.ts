#!/usr/bin/env node
/**
 * One program under several names. Started as `uptime` or `uptimectl` it is the command line, under any other name the
 * daemon. `quickstart` demonstrates both.
 */
import { basename } from 'node:path';

// Everything else is loaded after this test, as an older Node cannot parse it.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || major === 23 || major === 25 || (major === 22 && minor < 22) || (major === 24 && minor < 15)) {
  process.stderr.write(`uptime needs Node 22.22, 24.15, or 26 and newer; this is Node ${process.versions.node}.\n`);
  process.exit(1);
}

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
