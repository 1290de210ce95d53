import type { Plugin } from 'esbuild';

/** Modules of Node that a start of the server does not use, and that take Node several milliseconds to load. */
const late = ['node:https', 'node:tls'] as const;

/** For esbuild: loads these modules when a program first uses one of their exports. */
export const loadLate: Plugin = {
  name: 'load-late',
  setup(context) {
    const filter = new RegExp(`^(${late.join('|')})$`);
    context.onResolve({ filter }, ({ path, namespace }) =>
      namespace === 'load-late' ? { path, external: true } : { path, namespace: 'load-late' },
    );
    context.onLoad({ filter: /./, namespace: 'load-late' }, ({ path }) => {
      const names = Object.keys(process.getBuiltinModule(path) as object);
      const getters = names.map((name) => `get ${name}() { return require('${path}').${name}; }`);
      return { contents: `module.exports = { ${getters.join(', ')} };` };
    });
  },
};
