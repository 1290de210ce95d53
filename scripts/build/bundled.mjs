import { root } from '../ready/root.mjs';

/** The options of all bundles for Node. */
export const bundled = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node22',
  conditions: ['x-source'],
  legalComments: 'none',
  logLevel: 'error',
  // CommonJS packages in the bundle load Node's modules by `require`, which does not exist in ES modules.
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module';\nconst require = __createRequire(import.meta.url);",
  },
};
