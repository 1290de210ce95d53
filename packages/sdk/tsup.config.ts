import { defineConfig } from 'tsup';

export default defineConfig({
  entry: { index: 'src/index.ts', contract: 'src/contract/index.ts', testing: 'src/testing.ts' },
  format: 'esm',
  target: 'es2023',
  platform: 'neutral',
  splitting: true,
  clean: true,
  dts: true,
});
