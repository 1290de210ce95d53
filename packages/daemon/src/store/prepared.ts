import type { Compilable, Kysely } from 'kysely';
import type { Store } from './store.ts';
import type { Tables } from './tables.ts';

/** Runs a query that was built once, on the database or in a transaction. */
export type Prepared<P, R> = (db: Kysely<Tables>, params: P) => Promise<R[]>;

/**
 * Builds a query once and runs it many times with new parameters: building and compiling costs ten times what SQLite
 * takes to run it. `build` gets a stand-in for each parameter, to be passed on as it is (no arithmetic, no lists):
 *
 *     const nameOf = prepare(store, (db, p: { seq: number }) =>
 *       db.selectFrom('monitor').select('name').where('seq', '=', p.seq));
 *     const [row] = await nameOf(trx, { seq: 7 });
 */
export function prepare<P extends object, R>(
  { db, inTurn }: Pick<Store, 'db' | 'inTurn'>,
  build: (db: Kysely<Tables>, params: P) => Compilable<R>,
): Prepared<P, R> {
  const standIns = createStandIns<P>();
  const compiled = build(db, standIns.params).compile();
  const slots = compiled.parameters.map((value) => ({ name: standIns.nameOf(value), constant: value }));
  let statement: ReturnType<NonNullable<Store['inTurn']>> | undefined;
  return async (executor, params) => {
    const parameters = slots.map(({ name, constant }) => (name === undefined ? constant : params[name]));
    if (inTurn && executor.isTransaction) {
      statement ??= inTurn(compiled.sql);
      return statement<R>(parameters);
    }
    return (await executor.executeQuery<R>({ ...compiled, parameters })).rows;
  };
}

/** Gives an object of its own for each field that is read, and tells later whose place it held. */
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
