import { spawnSync } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { fail, root } from '../ready/root.mjs';
import { wrapAsModule } from './wrap-as-module.ts';

/**
 * Returns the assets of the compiler. The compiler is an executable that runs the server for a moment, and then writes
 * the code that V8 compiled.
 */
export function compilerParts(folder) {
  const file = join(folder, 'serve-and-compile.cjs');
  copyFileSync(join(root, 'scripts/build/serve-and-compile.cjs'), file);
  wrapAsModule(file);
  return { 'apart/main.cjs': file };
}

/**
 * Makes the file with the code that V8 compiles during a start of the server. So the executable does not compile this
 * code at each start. `compiler` is another executable, with the same snapshot and the assets of `compilerParts`.
 */
export function compileProgram(compiler, folder) {
  const codeFile = join(folder, 'uptimed.code');
  const { status, stderr } = spawnSync(compiler, [codeFile], { encoding: 'utf8' });
  if (status !== 0) fail(`${stderr}\nThe program could not be compiled, because it did not serve.`);
  return codeFile;
}
