import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** Returns the brotli decoder as WebAssembly. A build of the program embeds these bytes. */
export const brotliBytes = (): Buffer =>
  readFileSync(createRequire(import.meta.url).resolve('brotli-dec-wasm/web/bg.wasm'));
