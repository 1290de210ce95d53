import type { AliasedRawBuilder, Compilable, Kysely, QueryResult } from 'kysely';
import { encodeRows, type RowColumns } from './dialect.ts';
import type { DirectStatement } from './sqlite-driver.ts';
import type { Store } from './store.ts';
import type { Tables } from './tables.ts';

/** Runs a query that was built once, on the database or in a transaction. Resolves with its rows. */
export type Prepared<P, R> = (db: Kysely<Tables>, params: P) => Promise<R[]>;

/** The same for a change. Resolves with the number of changed rows. */
export type PreparedChange<P> = (db: Kysely<Tables>, params: P) => Promise<number>;

/**
 * Builds a query once and runs it many times with new parameters. Building and compiling costs ten times what SQLite
 * takes to run it. `build` gets a placeholder for each parameter, which it must pass on unchanged (no arithmetic, no
 * lists):
 *
 * const nameOf = prepare(store, (db, p: { seq: number }) =>
 * db.selectFrom('monitor').select('name').where('seq', '=', p.seq));
 * const [row] = await nameOf(trx, { seq: 7 });
 */
export function prepare<P extends object, R>(
  store: Pick<Store, 'db' | 'direct'>,
  build: (db: Kysely<Tables>, params: P) => Compilable<R>,
): Prepared<P, R> {
  const run = prepareQuery(store, build);
  return async (executor, params) => (await run(executor, params)).rows;
}

/** The same for an insert, an update or a delete, for callers that need the number of changed rows. */
export function prepareChange<P extends object>(
  store: Pick<Store, 'db' | 'direct'>,
  build: (db: Kysely<Tables>, params: P) => Compilable,
): PreparedChange<P> {
  const run = prepareQuery(store, build);
  return async (executor, params) => {
    const { numAffectedRows } = await run(executor, params);
    if (numAffectedRows === undefined) throw new Error('The database did not report how many rows it changed.');
    return Number(numAffectedRows);
  };
}

function prepareQuery<P extends object, R>(
  { db, direct }: Pick<Store, 'db' | 'direct'>,
  build: (db: Kysely<Tables>, params: P) => Compilable<R>,
): (db: Kysely<Tables>, params: P) => QueryResult<R> | Promise<QueryResult<R>> {
  const standIns = createStandIns<P>();
  const compiled = build(db, standIns.params).compile();
  const slots = compiled.parameters.map((value) => ({ name: standIns.nameOf(value), constant: value }));
  const selects = compiled.query.kind === 'SelectQueryNode';
  let written: ReturnType<DirectStatement> | undefined;
  let read: ReturnType<DirectStatement> | undefined;
  return (executor, params) => {
    const parameters = slots.map(({ name, constant }) => (name === undefined ? constant : params[name]));
    if (direct && executor.isTransaction) return (written ??= direct.inTurn(compiled.sql))<R>(parameters);
    if (direct && selects) return (read ??= direct.reading(compiled.sql))<R>(parameters);
    return executor.executeQuery<R>({ ...compiled, parameters });
  };
}

/**
 * The same for many rows at once, in one statement. `build` gets them as the table `given`, to select from, join, or
 * insert. Use it for writes of a hundred rows a commit, because each call costs as much as several rows.
 *
 * const addPurges = prepareForRows(store, { monitor: 'long' }, (db, given) =>
 * db.insertInto('purge').columns(['monitor']).expression(db.selectFrom(given).selectAll()));
 * await addPurges(trx, [{ monitor: 7 }, { monitor: 8 }]);
 */
export function prepareForRows<G extends object, R>(
  store: Pick<Store, 'db' | 'direct' | 'dialect'>,
  columns: RowColumns<G>,
  build: (db: Kysely<Tables>, given: AliasedRawBuilder<G, 'given'>) => Compilable<R>,
): (db: Kysely<Tables>, rows: readonly G[]) => Promise<R[]> {
  const run = prepare(store, (db, p: { rows: string }) => build(db, store.dialect.rows('given', columns, p.rows)));
  return (db, rows) => run(db, { rows: encodeRows(columns, rows) });
}

/** Returns a distinct object for each field that is read, and later finds the field of an object. */
function createStandIns<P extends object>() {
  const names = new Map<unknown, keyof P>();
  const byName = new Map<string | symbol, object>();
  const params = new Proxy({} as P, {
    get(_, name) {
      let standIn = byName.get(name);
      if (!standIn) {
        standIn = Object.freeze({ standsFor: name });
        byName.set(name, standIn);
        names.set(standIn, name as keyof P);
      }
      return standIn;
    },
  });
  return { params, nameOf: (value: unknown) => names.get(value) };
}
