import type { Plugin } from 'esbuild';

/** For esbuild: leaves out zod's messages in other languages, which the program never uses. They are 250 KB. */
export const englishOnly: Plugin = {
  name: 'english-only',
  setup(context) {
    context.onLoad({ filter: /[/\\]zod[/\\]v4[/\\]locales[/\\]index\.c?js$/ }, ({ path }) => ({
      contents: path.endsWith('.cjs')
        ? `exports.en = require('./en.cjs').default;`
        : `export { default as en } from './en.js';`,
    }));
  },
};
