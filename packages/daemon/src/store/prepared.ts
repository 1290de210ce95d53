import type { Compilable, Kysely } from 'kysely';
import type { DirectStatement } from './sqlite-driver.ts';
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
  { db, direct }: Pick<Store, 'db' | 'direct'>,
  build: (db: Kysely<Tables>, params: P) => Compilable<R>,
): Prepared<P, R> {
  const standIns = createStandIns<P>();
  const compiled = build(db, standIns.params).compile();
  const slots = compiled.parameters.map((value) => ({ name: standIns.nameOf(value), constant: value }));
  const selects = compiled.query.kind === 'SelectQueryNode';
  let written: ReturnType<DirectStatement> | undefined;
  let read: ReturnType<DirectStatement> | undefined;
  return async (executor, params) => {
    const parameters = slots.map(({ name, constant }) => (name === undefined ? constant : params[name]));
    if (direct && executor.isTransaction) return (written ??= direct.inTurn(compiled.sql))<R>(parameters);
    if (direct && selects) return (read ??= direct.reading(compiled.sql))<R>(parameters);
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
