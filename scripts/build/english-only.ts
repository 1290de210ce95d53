import type { Plugin } from 'esbuild';

/** For esbuild: leaves out zod's messages in other languages, 250 KB that the program never uses. */
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
