import type { Store } from '../../packages/daemon/src/store/store.ts';

/**
 * One row of the growth table: a number of monitors with one interval, on a database, checked by one or more daemons.
 */
export interface Load {
  database: Store['dialect']['name'];
  daemons: number;
  monitors: number;
  intervalSeconds: number;
  /**
   * Milliseconds after which the target answers a check. With slow answers, the number of slots limits a daemon.
   */
  answerMs: number;
  /** Seconds for which the daemons run before the measurement, so that their costs are steady. */
  warmSeconds: number;
  seconds: number;
}

const small = ['1000@20/8', '5000@20/8', 'postgres:1000@1/6', 'postgres*2:1000@1/6'];

const whole = [
  // At a low rate, it takes long until V8 has compiled the code of a check.
  '1000@20/40+120',
  '5000@20/20',
  '10000@20/20',
  '10000@5/20',
  '50000@20/20',
  '100000@60/60',
  '20000@4/20+40',
  'postgres:5000@20/20',
  'postgres:10000@4/20',
  'postgres*2:10000@4/20',
  'postgres*2:10000@2/20',
  'postgres:20000@10~5000/20',
  'postgres*2:20000@10~5000/20',
];

/** Returns the small loads by default, all loads for `whole`, or the loads of a list (`5000@20 60000@60`). */
export function readLoads(wanted: string | undefined): Load[] {
  if (wanted === undefined || wanted === '') return small.map((text) => ({ ...readLoad(text), warmSeconds: 5 }));
  return (wanted === 'whole' ? whole : wanted.split(/[\s,]+/)).map(readLoad);
}

/**
 * Parses `[<database>[*<daemons>]:]<monitors>@<interval in s>[~<answer in ms>][/<seconds to measure>[+<warm-up in
 * s>]]`.
 */
function readLoad(text: string): Load {
  const match = /^(?:(sqlite|postgres)(?:\*(\d+))?:)?(\d+)@(\d+)(?:~(\d+))?(?:\/(\d+)(?:\+(\d+))?)?$/.exec(text);
  if (match === null)
    throw new Error(
      `UPTIME_BENCH_GROWTH has "${text}"; write "whole", or loads such as 5000@20 or postgres*2:1000@1/10.`,
    );
  const [, database = 'sqlite', daemons = '1', monitors, interval, answer, seconds, warm] = match;
  if (database === 'sqlite' && daemons !== '1')
    throw new Error(`UPTIME_BENCH_GROWTH has "${text}", but a SQLite file has one daemon; write postgres*${daemons}:…`);
  return {
    database: database === 'sqlite' ? 'sqlite' : 'postgres',
    daemons: Number(daemons),
    monitors: Number(monitors),
    intervalSeconds: Number(interval),
    answerMs: Number(answer ?? 0),
    warmSeconds: Number(warm ?? Math.max(5, Number(interval))),
    seconds: Number(seconds ?? 10),
  };
}

/** Returns how many checks per second are due. */
export const dueRate = ({ monitors, intervalSeconds }: Load): number => monitors / intervalSeconds;

/**
 * Returns whether more checks are due than one daemon on SQLite can do. Such a load measures the highest rate of the
 * daemon.
 */
export const isSaturated = (load: Load): boolean => load.database === 'sqlite' && dueRate(load) >= 5000;

export function nameOf({ database, daemons, monitors, intervalSeconds, answerMs }: Load): string {
  const where = database === 'sqlite' ? '' : `, PostgreSQL, ${daemons === 1 ? 'one daemon' : `${daemons} daemons`}`;
  return `${monitors.toLocaleString('en')} @ ${intervalSeconds} s${answerMs === 0 ? '' : `, answers after ${answerMs} ms`}${where}`;
}
