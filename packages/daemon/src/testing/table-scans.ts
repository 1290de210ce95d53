import { CompiledQuery, sql as raw } from 'kysely';
import type { Store } from '../store/store.ts';
import type { CapturedStatement } from './captured-statements.ts';

/** A statement whose plan reads all rows of a table, or all entries of an index. */
export interface TableScan {
  table: string;
  sql: string;
}

/**
 * Asks the database for the plans of statements, and returns the table scans in them. A partial index may be read as a
 * whole, because it contains only the wanted rows.
 */
export async function findTableScans(
  { db, dialect }: Pick<Store, 'db' | 'dialect'>,
  statements: readonly CapturedStatement[],
): Promise<TableScan[]> {
  if (dialect.name === 'sqlite') return findScans({ db, dialect }, statements);
  return db.transaction().execute(async (trx) => {
    // Turns off merge joins. They stop where the keys of one table end, so a plan does not tell how much they read.
    await raw`set local enable_mergejoin = off`.execute(trx);
    return findScans({ db: trx, dialect }, statements);
  });
}

/**
 * Returns the statements with a `limit` for which SQLite first has to sort all rows. With such a statement, each page
 * of rows costs as much as all rows. So the cost of all pages grows with the square of their number.
 */
export async function findSortedPages(
  { db }: Pick<Store, 'db'>,
  statements: readonly CapturedStatement[],
): Promise<string[]> {
  const found: string[] = [];
  for (const { sql } of statements) {
    if (!/ limit /.test(sql)) continue;
    if ((await sqlitePlan(db, sql)).includes('USE TEMP B-TREE FOR ORDER BY')) found.push(sql);
  }
  return found;
}

/**
 * Returns the updates for which SQLite reads tables that they do not name. Such a table refers to the key that the
 * update sets. SQLite reads all its rows that refer to the key, even if the key stays the same.
 */
export async function findReferenceReads(
  { db }: Pick<Store, 'db'>,
  statements: readonly CapturedStatement[],
): Promise<string[]> {
  const found: string[] = [];
  for (const { sql } of statements) {
    if (!/^\s*update | do update /i.test(sql)) continue;
    const steps = await sqlitePlan(db, sql);
    const tables = steps.flatMap((step) => /^(?:SEARCH|SCAN) ([a-z]\w*)\b(?! VIRTUAL)/.exec(step)?.[1] ?? []);
    if (tables.some((table) => !new RegExp(`\\b${table}\\b`).test(sql))) found.push(sql);
  }
  return found;
}

async function findScans(
  { db, dialect }: Pick<Store, 'db' | 'dialect'>,
  statements: readonly CapturedStatement[],
): Promise<TableScan[]> {
  const scans: TableScan[] = [];
  const partial = await partialIndexes({ db, dialect });
  for (const { sql, parameters } of statements) {
    const tables =
      dialect.name === 'sqlite'
        ? scannedBySqlite(sql, partial, await sqlitePlan(db, sql))
        : scannedByPostgres(await postgresPlan(db, sql, parameters), partial).map(whole);
    // Skips statements that have a limit but no condition, because they read just the first rows of an index.
    if (/ limit /.test(sql) && !/ where /.test(sql)) continue;
    for (const table of new Set(tables)) scans.push({ table, sql });
  }
  return scans;
}

/** Returns the table to which a partition belongs. */
const whole = (table: string) => table.replace(/^result_(first|other|\d+)$/, 'result');

async function partialIndexes({ db, dialect }: Pick<Store, 'db' | 'dialect'>): Promise<Set<string>> {
  const query =
    dialect.name === 'sqlite'
      ? `select name from sqlite_master where type = 'index' and sql like '% where %'`
      : `select indexrelid::regclass::text as name from pg_index where indpred is not null`;
  const { rows } = await db.executeQuery<{ name: string }>(CompiledQuery.raw(query));
  return new Set(rows.map(({ name }) => name));
}

/**
 * Returns the steps of SQLite's plan for a statement. The driver keeps prepared statements, and SQLite does not plan a
 * kept `explain` again after a change of the indexes. So each text has another number.
 */
async function sqlitePlan(db: Store['db'], sql: string): Promise<string[]> {
  const explain = CompiledQuery.raw(`explain query plan /* ${plans++} */ ${sql}`, placeholders(sql));
  return (await db.executeQuery<{ detail: string }>(explain)).rows.map(({ detail }) => detail);
}
let plans = 0;

async function postgresPlan(db: Store['db'], sql: string, parameters: readonly unknown[]): Promise<PostgresAnswer> {
  const explain = CompiledQuery.raw(`explain (format json) ${sql}`, [...parameters]);
  return (await db.executeQuery<PostgresAnswer>(explain)).rows[0]!;
}

/** Returns a null for each placeholder of a statement, because SQLite requires a value for each. */
const placeholders = (sql: string): null[] => Array.from(sql.replace(/'[^']*'/g, '').matchAll(/\?/g), () => null);

/** Returns the tables that SQLite scans. Its plan names a table by the table's alias, if the statement has one. */
function scannedBySqlite(sql: string, partial: ReadonlySet<string>, steps: readonly string[]): string[] {
  const aliases = new Map(Array.from(sql.matchAll(/"?(\w+)"? as "?(\w+)"?/gi), ([, table, alias]) => [alias!, table!]));
  return steps.flatMap((step) => {
    const name = /^SCAN (\w+)\b(?! VIRTUAL)/.exec(step)?.[1];
    const index = / INDEX (\w+)/.exec(step)?.[1] ?? '';
    return name === undefined || partial.has(index) ? [] : [aliases.get(name) ?? name];
  });
}

interface PostgresAnswer {
  'QUERY PLAN': { Plan: PostgresStep }[];
}

interface PostgresStep {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  Plans?: PostgresStep[];
}

const scannedByPostgres = (answer: PostgresAnswer, partial: ReadonlySet<string>): string[] =>
  answer['QUERY PLAN'].flatMap(({ Plan: plan }) => scannedBelow(plan, partial));

function scannedBelow(step: PostgresStep, partial: ReadonlySet<string>): string[] {
  const below = (step.Plans ?? []).flatMap((one) => scannedBelow(one, partial));
  const table = step['Relation Name'];
  const isWholeIndex =
    /^Index( Only)? Scan$/.test(step['Node Type']) &&
    step['Index Cond'] === undefined &&
    !partial.has(step['Index Name'] ?? '');
  return table !== undefined && (step['Node Type'] === 'Seq Scan' || isWholeIndex) ? [table, ...below] : below;
}
