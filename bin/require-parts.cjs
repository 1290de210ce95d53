'use strict';

const prefix = 'apart:';

/**
 * Returns a `require` for the single executable. It loads Node's own modules, and the parts of the program, whose names
 * begin with `apart:`. A part is loaded when it is first needed. `read` returns an asset, or null if there is none.
 * `loaded` has the parts that are loaded already.
 *
 * A part may have an asset with the code that V8 compiled during the build. V8 uses this code only if it fits the
 * version, the flags and the snapshot. Otherwise V8 compiles the part.
 */
function createParts(requireBuiltIn, read, loaded) {
  const { Script } = requireBuiltIn('node:vm');
  // With NODE_DEBUG=uptime, the program prints whether V8 used the stored code.
  const debug = requireBuiltIn('node:util').debuglog('uptime');
  const parts = new Map(Object.entries(loaded).map(([name, exports]) => [prefix + name, { module: { exports } }]));
  const load = (name) => {
    if (!name.startsWith(prefix)) return requireBuiltIn(name);
    const file = `apart/${name.slice(prefix.length).replaceAll('/', '-')}`;
    if (!parts.has(name)) parts.set(name, run(file));
    return parts.get(name).module.exports;
  };
  /** Returns the code of a part that V8 has compiled so far. */
  load.compiledCodeOf = (name) => parts.get(name).script.createCachedData();
  const run = (file) => {
    // The parts are ASCII. As Latin-1, V8 stores them with one byte for each character.
    const source = read(`${file}.cjs`).toString('latin1');
    const cachedData = read(`${file}.code`) ?? undefined;
    const script = new Script(source, { filename: `${file}.cjs`, cachedData });
    if (cachedData) debug('%s: its stored code was %s', file, script.cachedDataRejected ? 'refused' : 'used');
    const module = { exports: {} };
    script.runInThisContext()(module.exports, load, module);
    return { script, module };
  };
  return load;
}

module.exports = { createParts };
