import { join } from 'node:path';
import { build, type Metafile } from 'esbuild';
import { expect, test } from 'vitest';
import { leaveOut } from './leave-out.ts';

/**
 * A start of the server loads these packages, and those that Fastify loads. Before you add a package here, try to load
 * it with `import()` where it is first used (docs/architecture.md).
 */
const wanted = ['fastify', 'feed', 'kysely', 'zod'];

test('at its start, the server imports only the packages of the list `wanted`', async () => {
  const { metafile } = await build({
    absWorkingDir: join(import.meta.dirname, '../..'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node22',
    conditions: ['x-source'],
    logLevel: 'error',
    entryPoints: { daemon: 'packages/daemon/src/daemon.ts' },
    outdir: 'dist',
    splitting: true,
    write: false,
    metafile: true,
    external: ['better-sqlite3', 'pg-native'],
    plugins: [leaveOut],
  });
  const own = filesAtStart(metafile, 'dist/daemon.js').filter((file) => !file.includes('node_modules/'));
  const packages = own.flatMap((file) =>
    metafile.inputs[file]!.imports.filter(({ kind }) => kind === 'import-statement'),
  );
  const names = packages.flatMap(({ path }) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []);
  expect([...new Set(names)].toSorted()).toEqual(wanted);
  expect(own).toContain('packages/daemon/src/http/server.ts');
  expect(own.filter((file) => file.startsWith('packages/cli/'))).toEqual([]);
});

/** Returns the sources in a file of a bundle, and in all files that this file imports statically. */
function filesAtStart({ outputs }: Metafile, entry: string): string[] {
  const seen = new Set([entry]);
  for (const file of seen) {
    for (const { path, kind, external } of outputs[file]!.imports)
      if (kind === 'import-statement' && !external) seen.add(path);
  }
  return [...seen].flatMap((file) => Object.keys(outputs[file]!.inputs));
}
