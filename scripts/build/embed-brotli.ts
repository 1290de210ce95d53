import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Plugin } from 'esbuild';

const wasm = createRequire(import.meta.url).resolve('brotli-dec-wasm/web/bg.wasm');

/** For esbuild: puts the brotli decoder inside, so that it is there wherever the program is taken. */
export const embedBrotli: Plugin = {
  name: 'embed-brotli',
  setup(build) {
    build.onLoad({ filter: /[/\\]checks[/\\]brotli-bytes\.ts$/ }, () => {
      const text = readFileSync(wasm, 'base64');
      return { contents: `export const brotliBytes = () => Buffer.from('${text}', 'base64');`, watchFiles: [wasm] };
    });
  },
};
