import { readFileSync, writeFileSync } from 'node:fs';

/** Wraps a bundle in a function, as Node wraps each CommonJS module. Removes its `#!` line. */
export function wrapAsModule(file: string): void {
  const source = readFileSync(file, 'utf8').replace(/^#!.*/, '');
  writeFileSync(file, `(function (exports, require, module) {${source}\n})`);
}
