#!/usr/bin/env node
// All other files load only after this test, because an older Node cannot parse them.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || major === 23 || major === 25 || (major === 22 && minor < 22) || (major === 24 && minor < 15)) {
  process.stderr.write(`uptimed needs Node 22.22, 24.15, or 26 and newer; this is Node ${process.versions.node}.\n`);
  process.exit(1);
}

const { main } = await import('./main.ts');
await main();
