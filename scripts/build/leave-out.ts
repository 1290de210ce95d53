import type { Plugin } from 'esbuild';

/**
 * Packages that Fastify requires only for features that this program never uses, each with the reason. Other
 * packages can still require them.
 */
const unused: Record<string, string> = {
  '@fastify/ajv-compiler': 'No route has a schema.',
  '@fastify/fast-json-stringify-compiler': 'No route has a schema.',
  'node:http2': 'The server speaks HTTP/1.1.',
  semver: 'No plugin asks for a version of Fastify.',
};

/** For esbuild: replaces the packages with small modules that throw an error when they are first used. */
export const leaveOut: Plugin = {
  name: 'leave-out',
  setup(context) {
    const filter = new RegExp(`^(${Object.keys(unused).join('|').replaceAll('/', '\\/')})$`);
    context.onResolve({ filter }, ({ path, importer }) =>
      /[\\/]node_modules[\\/]fastify[\\/]/.test(importer) ? { path, namespace: 'left-out' } : null,
    );
    context.onLoad({ filter: /./, namespace: 'left-out' }, ({ path }) => ({
      contents: `const refuse = () => { throw new Error(${JSON.stringify(`${path} is not part of this program. ${unused[path]}`)}); };
module.exports = new Proxy(refuse, { get: refuse });`,
    }));
  },
};
