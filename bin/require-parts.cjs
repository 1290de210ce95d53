'use strict';

const prefix = 'apart:';

/**
 * Returns a `require` for the single executable. It loads the parts of the program, `apart:…`, when they are first needed,
 * and Node's own modules. `read` returns an asset, or null if there is none. `loaded` has the parts that need no loading. A
 * part may have the code that V8 made of it at the build. V8 checks that the code fits its version, its flags and the
 * snapshot. If it does not, V8 compiles the part itself.
 */
function createParts(requireBuiltIn, read, loaded) {
  const { Script } = requireBuiltIn('node:vm');
  // With NODE_DEBUG=uptime, the program says whether V8 used the stored code.
  const debug = requireBuiltIn('node:util').debuglog('uptime');
  const parts = new Map(Object.entries(loaded).map(([name, exports]) => [prefix + name, { module: { exports } }]));
  const load = (name) => {
    if (!name.startsWith(prefix)) return requireBuiltIn(name);
    const file = `apart/${name.slice(prefix.length).replaceAll('/', '-')}`;
    if (!parts.has(name)) parts.set(name, run(file));
    return parts.get(name).module.exports;
  };
  /** The code that V8 has compiled of a part so far. */
  load.compiledCodeOf = (name) => parts.get(name).script.createCachedData();
  const run = (file) => {
    // The parts are ASCII. As Latin-1 they take one byte for each character.
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
