import { readFileSync, writeFileSync } from 'node:fs';

/** Makes a bundle a function, as Node makes of each CommonJS module, without the line for shells. */
export function wrapAsModule(file: string): void {
  const source = readFileSync(file, 'utf8').replace(/^#!.*/, '');
  writeFileSync(file, `(function (exports, require, module) {${source}\n})`);
}
