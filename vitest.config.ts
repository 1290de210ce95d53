import { defineConfig } from 'vitest/config';

// Sources run without a build: the packages' own "x-source" condition points at their TypeScript.
const conditions = ['x-source', 'node', 'import', 'default'];
const common = {
  resolve: { conditions },
  ssr: { resolve: { conditions } },
};

export default defineConfig({
  test: {
    projects: [
      {
        ...common,
        test: {
          name: 'all',
          include: ['packages/*/{src,test}/**/*.test.ts', 'test/**/*.test.ts', 'scripts/**/*.test.ts'],
          testTimeout: 20_000,
          hookTimeout: 30_000,
        },
      },
      {
        ...common,
        test: {
          name: 'soak',
          include: ['packages/*/{src,test}/**/*.soak.ts', 'test/**/*.soak.ts'],
          testTimeout: 60 * 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
