import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** The brotli decoder as WebAssembly. A build puts these bytes inside the program. */
export const brotliBytes = (): Buffer =>
  readFileSync(createRequire(import.meta.url).resolve('brotli-dec-wasm/web/bg.wasm'));
