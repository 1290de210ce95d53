import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fail, root } from '../ready/root.mjs';
import { nodeFlags } from './node-flags.ts';

/**
 * Makes the file with the code that V8 compiles during a start of the server, so that the executable does not compile it
 * at each start. V8 accepts the code only with the flags that it was made with.
 */
export function compileProgram(folder, assets) {
  const [assetsFile, codeFile] = [join(folder, 'assets.json'), join(folder, 'uptimed.code')];
  writeFileSync(assetsFile, JSON.stringify(assets));
  const script = join(root, 'scripts/build/serve-and-compile.cjs');
  const { status, stderr } = spawnSync(process.execPath, [...nodeFlags, script, assetsFile, codeFile], {
    encoding: 'utf8',
  });
  if (status !== 0) fail(`${stderr}\nThe program could not be compiled, because it did not serve.`);
  return codeFile;
}
