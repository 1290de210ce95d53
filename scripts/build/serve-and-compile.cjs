// The main program of the compiler, an executable that the build uses. It starts the server for a moment, and writes
// the code that V8 compiled during this start. V8 accepts the code only with the same snapshot, so only an executable
// with this snapshot can make the code. Usage: <executable> <file to write>
'use strict';
const { mkdtempSync, rmSync, writeFileSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');

const codeFile = process.argv[2];
const folder = mkdtempSync(join(tmpdir(), 'uptime-build-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
for (const name of Object.keys(process.env)) if (name.startsWith('UPTIME_')) delete process.env[name];
Object.assign(process.env, { UPTIME_DATA_DIR: folder, UPTIME_PORT: '0', UPTIME_HOST: '127.0.0.1' });
process.argv = [process.execPath, 'uptimed', 'serve'];

let log = '';
const write = process.stderr.write.bind(process.stderr);
process.stderr.write = (chunk, ...rest) => {
  log += String(chunk);
  return write(chunk, ...rest);
};
void require('apart:uptimed').main();
const poll = setInterval(() => {
  if (!log.includes('"message":"serving"')) return;
  clearInterval(poll);
  writeFileSync(codeFile, require.compiledCodeOf('apart:uptimed'));
  process.exit();
}, 10);
