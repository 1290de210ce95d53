import type { AliasedRawBuilder, Compilable, CompiledQuery, Kysely, RawBuilder, SqlBool, Transaction } from 'kysely';
import type { EncodedRows, RowColumns } from './dialect.ts';
import type { DirectResult, DirectStatement } from './sqlite-driver.ts';
import type { Store } from './store.ts';
import type { Tables } from './tables.ts';

/**
 * Where a prepared query can run: on the database, in a transaction, or in a shared round trip of a transaction (see
 * `inOneTrip`).
 */
export type Executor = Pick<Kysely<Tables>, 'isTransaction' | 'executeQuery'>;

/** Runs a prepared query with these parameters. Resolves with the rows. */
export type Prepared<P, R> = (db: Executor, params: P) => Promise<R[]>;

/** Runs a prepared insert, update or delete with these parameters. Resolves with the number of changed rows. */
export type PreparedChange<P> = (db: Executor, params: P) => Promise<number>;

/**
 * Returns a function that builds a query at its first call, and runs it at each call with new parameters. Building and
 * compiling a query takes ten times as long as SQLite takes to run it. `build` gets a placeholder for each parameter,
 * which it must pass on unchanged (no arithmetic, no lists):
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

/** Like `prepare`, for an insert, an update or a delete whose caller needs the number of changed rows. */
export function prepareChange<P extends object>(
  store: Pick<Store, 'db' | 'direct'>,
  build: (db: Kysely<Tables>, params: P) => Compilable,
): PreparedChange<P> {
  const run = prepareQuery(store, build);
  return async (executor, params) => {
    const { changes } = await run(executor, params);
    if (changes === undefined) throw new Error('The database did not report how many rows it changed.');
    return changes;
  };
}

function prepareQuery<P extends object, R>(
  { db, direct }: Pick<Store, 'db' | 'direct'>,
  build: (db: Kysely<Tables>, params: P) => Compilable<R>,
): (db: Executor, params: P) => DirectResult<R> | Promise<DirectResult<R>> {
  // The first run builds the query, because a starting daemon prepares many queries that it does not run yet.
  const compile = () => {
    const standIns = createStandIns<P>();
    const compiled = build(db, standIns.params).compile();
    const slots = compiled.parameters.map((value) => ({ name: standIns.nameOf(value), constant: value }));
    return { compiled, slots, selects: compiled.query.kind === 'SelectQueryNode' };
  };
  let built: ReturnType<typeof compile> | undefined;
  let written: ReturnType<DirectStatement> | undefined;
  let read: ReturnType<DirectStatement> | undefined;
  return (executor, params) => {
    const { compiled, slots, selects } = (built ??= compile());
    const parameters = slots.map(({ name, constant }) => (name === undefined ? constant : params[name]));
    if (direct && executor.isTransaction) return (written ??= direct.inTurn(compiled.sql))<R>(parameters);
    if (direct && selects) return (read ??= direct.reading(compiled.sql))<R>(parameters);
    return throughKysely(executor, { ...compiled, parameters });
  };
}

async function throughKysely<R>(executor: Executor, query: CompiledQuery<R>): Promise<DirectResult<R>> {
  const { rows, numAffectedRows } = await executor.executeQuery<R>(query);
  return { rows, changes: numAffectedRows === undefined ? undefined : Number(numAffectedRows) };
}

/**
 * Like `prepare`, for many rows at once in one statement. `build` gets them as the table `given`, to select from, join,
 * or insert. Use this function if a commit has many rows, such as a hundred. Each call has a fixed cost, which is about
 * the cost of several rows.
 *
 * const addPurges = prepareForRows(store, { monitor: 'long' }, (db, given) =>
 * db.insertInto('purge').columns(['monitor']).expression(db.selectFrom(given).selectAll()));
 * await addPurges(trx, [{ monitor: 7 }, { monitor: 8 }]);
 */
export function prepareForRows<G extends object, R>(
  store: Pick<Store, 'db' | 'direct' | 'dialect'>,
  columns: RowColumns<G>,
  build: (db: Kysely<Tables>, given: AliasedRawBuilder<G, 'given'>) => Compilable<R>,
): (db: Executor, rows: readonly G[]) => Promise<R[]> {
  const { dialect } = store;
  const run = prepare(store, (db, rows: EncodedRows) => build(db, dialect.encodedRows('given', columns, rows)));
  return (db, rows) => run(db, dialect.encodeRows(columns, rows));
}

/**
 * Like `prepareForRows`, for many numbers. `build` gets the function `isGiven`, which returns an SQL condition: the
 * value of a column is one of the numbers. This is faster than `prepareForRows` with one column.
 *
 * const find = prepareForNumbers(store, (db, isGiven) => db.selectFrom('purge').selectAll().where(isGiven('monitor')));
 * await find(trx, [7, 8]);
 */
export function prepareForNumbers<R>(
  store: Pick<Store, 'db' | 'direct' | 'dialect'>,
  build: (db: Kysely<Tables>, isGiven: (column: string) => RawBuilder<SqlBool>) => Compilable<R>,
): (db: Executor, numbers: readonly number[]) => Promise<R[]> {
  const { dialect } = store;
  const run = prepare(store, (db, { numbers }: { numbers: string }) =>
    build(db, (column) => dialect.isAmong(column, numbers)),
  );
  return (db, numbers) => run(db, { numbers: dialect.encodeNumbers(numbers) });
}

/**
 * Runs prepared queries of a transaction in the order of their calls. PostgreSQL gets all of them in one round trip, if
 * they do not wait for each other:
 *
 * await inOneTrip(store, trx, (trip) => Promise.all([addPurges(trip, purges), addPings(trip, pings)]));
 */
export function inOneTrip<T>(
  { direct }: Pick<Store, 'direct'>,
  trx: Transaction<Tables>,
  work: (trip: Executor) => Promise<T>,
): Promise<T> {
  if (direct) return work(trx);
  // Through `trx`, Kysely would wait for each answer before it sends the next statement.
  return trx
    .getExecutor()
    .provideConnection((connection) =>
      work({ isTransaction: true, executeQuery: (query) => connection.executeQuery(query as CompiledQuery) }),
    );
}

/**
 * Creates the placeholders for the parameters of a query. Each field of `params` is a distinct object, and `nameOf`
 * returns the name of the field for such an object.
 */
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
