import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Plugin } from 'esbuild';

export const brotliWasm = createRequire(import.meta.url).resolve('brotli-dec-wasm/web/bg.wasm');

const replaceBytes = (name: string, contents: () => string): Plugin => ({
  name,
  setup(build) {
    build.onLoad({ filter: /[/\\]checks[/\\]brotli-bytes\.ts$/ }, () => ({
      contents: contents(),
      watchFiles: [brotliWasm],
    }));
  },
});

/** For esbuild: puts the brotli decoder inside, so that it is there wherever the program is taken. */
export const embedBrotli = replaceBytes('embed-brotli', () => {
  const text = readFileSync(brotliWasm, 'base64');
  return `export const brotliBytes = () => Buffer.from('${text}', 'base64');`;
});

/** For the single executable, whose start would read the decoder as text: it is one of the executable's assets. */
export const brotliFromAssets = replaceBytes(
  'brotli-from-assets',
  () =>
    `import { getRawAsset } from 'node:sea'; export const brotliBytes = () => Buffer.from(getRawAsset('brotli.wasm'));`,
);
