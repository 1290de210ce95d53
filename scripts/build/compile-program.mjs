import { spawnSync } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { fail, root } from '../ready/root.mjs';
import { wrapAsModule } from './wrap-as-module.ts';

/** The main part of the compiler. It makes an executable write the code that V8 compiles, whatever its name is. */
export function compilerParts(folder) {
  const file = join(folder, 'serve-and-compile.cjs');
  copyFileSync(join(root, 'scripts/build/serve-and-compile.cjs'), file);
  wrapAsModule(file);
  return { 'apart/main.cjs': file };
}

/**
 * Makes the file with the code that V8 compiles during a start of the server, so that the executable does not compile
 * it at each start. The compiler is an executable with the same snapshot and `compilerParts`.
 */
export function compileProgram(compiler, folder) {
  const codeFile = join(folder, 'uptimed.code');
  const { status, stderr } = spawnSync(compiler, [codeFile], { encoding: 'utf8' });
  if (status !== 0) fail(`${stderr}\nThe program could not be compiled, because it did not serve.`);
  return codeFile;
}
