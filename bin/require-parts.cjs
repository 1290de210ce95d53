'use strict';
const { Script } = require('node:vm');

const prefix = 'apart:';

/**
 * Returns a `require` for the single executable. It loads the parts of the program, `apart:…`, when they are first needed,
 * and Node's own modules. `read` returns an asset, or null if there is none. A part may have the code that V8 made of it at
 * the build. V8 checks that the code fits its version and flags. If it does not, V8 compiles the part itself.
 */
function createParts(requireBuiltIn, read) {
  const parts = new Map();
  const load = (name) => {
    if (!name.startsWith(prefix)) return requireBuiltIn(name);
    const file = `apart/${name.slice(prefix.length).replaceAll('/', '-')}`;
    if (!parts.has(name)) parts.set(name, run(file));
    return parts.get(name).module.exports;
  };
  const run = (file) => {
    // The parts are ASCII. As Latin-1 they take one byte for each character.
    const source = read(`${file}.cjs`).toString('latin1');
    const cachedData = read(`${file}.code`) ?? undefined;
    const script = new Script(source, { filename: `${file}.cjs`, cachedData });
    const module = { exports: {} };
    script.runInThisContext()(module.exports, load, module);
    return { script, module };
  };
  return { load, compiledCodeOf: (name) => parts.get(name).script.createCachedData() };
}

module.exports = { createParts };
