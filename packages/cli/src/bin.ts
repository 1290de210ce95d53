#!/usr/bin/env node
// Everything else is loaded after this test, as an older Node cannot parse it.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || major === 23 || major === 25 || (major === 22 && minor < 22) || (major === 24 && minor < 15)) {
  process.stderr.write(
    `This program needs Node 22.22, 24.15, or 26 and newer; this is Node ${process.versions.node}.\n`,
  );
  process.exit(1);
}

// A plain ping loads only one small file. Any other ping, or one that fails, runs the full command.
let recorded = false;
let pingAfterMs = 0;
if (process.argv[2] === 'ping') {
  const { quickPing } = await import('./commands/ping/quick.ts');
  ({ recorded, pingAfterMs } = await quickPing(process.argv.slice(3), process.env, (name) =>
    process.getBuiltinModule(name),
  ));
}
if (!recorded) {
  const { main } = await import('./main.ts');
  await main(pingAfterMs);
}
