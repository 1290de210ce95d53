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

/** For esbuild: puts the brotli decoder into the bundle, so that the program needs no other file. */
export const embedBrotli = replaceBytes('embed-brotli', () => {
  const text = readFileSync(brotliWasm, 'base64');
  return `export const brotliBytes = () => Buffer.from('${text}', 'base64');`;
});

/**
 * For the single executable: reads the decoder from its assets. As text in the bundle, the decoder would slow down the
 * start.
 */
export const brotliFromAssets = replaceBytes(
  'brotli-from-assets',
  () =>
    `import { getRawAsset } from 'node:sea'; export const brotliBytes = () => Buffer.from(getRawAsset('brotli.wasm'));`,
);
