import { join } from 'node:path';
import type { Measurement } from '../measurement.ts';
import { type ColumnCosts, measureColumns } from './measure-columns.ts';
import { type AppendCosts, appendToLog, type ConsumerCosts, consumeLog } from './measure-log.ts';
import { measureReplica, type ReplicaCosts } from './measure-replica.ts';
import { measureShards, type ShardCosts } from './measure-shards.ts';
import { onNewDatabase, withReplica } from './on-new-database.ts';

/**
 * Measures a streaming replica, and simulates the engines that cannot be installed here: TimescaleDB, Citus and a
 * message log for results. Each simulation does the work of the engine with PostgreSQL or with a file.
 */
export async function benchEngines(folder: string): Promise<Measurement[]> {
  console.error('  a replica, columns, four servers and a message log …');
  const replica = await withReplica(folder, measureReplica);
  const columns = await onNewDatabase(folder, measureColumns);
  const [one, four] = [await measureShards(folder, 1), await measureShards(folder, 4)];
  const path = join(folder, 'log');
  const log = await appendToLog(path);
  const consumers: ConsumerCosts[] = [];
  for (const batchSize of [50, 500, 5000])
    consumers.push(await onNewDatabase(folder, (store, pid) => consumeLog(store, pid, { path, batchSize })));
  for (const table of [[replica], [columns], [one, four], [log], consumers]) console.table(table);
  return [...ofReplica(replica), ...ofColumns(columns), ...ofShards(one, four), ...ofLog(log, consumers)];
}

const ofReplica = (costs: ReplicaCosts): Measurement[] => [
  {
    name: 'a result replayed on a replica',
    value: costs.replayMicros / costs.storeMicros,
    unit: '× the cost of storing it on the primary',
    bar: { maxValue: 1 },
    detail: `${µs(costs.replayMicros)} against ${µs(costs.storeMicros)}, of which ${µs(costs.sendMicros)} send ${costs.sentBytes.toFixed(0)} bytes; ${costs.lagMs.toFixed(0)} ms behind`,
  },
  {
    name: 'statistics of a monitor read on a replica',
    value: costs.readOnReplicaMicros / costs.readOnPrimaryMicros,
    unit: '× the cost on the primary',
    bar: { maxValue: 2 },
    detail: `${µs(costs.readOnReplicaMicros)} against ${µs(costs.readOnPrimaryMicros)}`,
  },
];

const ofColumns = (costs: ColumnCosts): Measurement[] => [
  {
    name: 'a day of results as rows',
    value: costs.rowBytes / costs.columnBytes,
    unit: '× the size of compressed arrays',
    bar: { minValue: 8 },
    detail: `${costs.rowBytes.toFixed(0)} against ${costs.columnBytes.toFixed(1)} bytes a result; ${µs(costs.convertMicros)} to convert a result`,
  },
  {
    name: 'a day of a monitor read from compressed arrays',
    value: costs.readColumnsMicros / costs.readRowsMicros,
    unit: '× the cost with rows',
    bar: { maxValue: 3 },
    detail: `${µs(costs.readColumnsMicros)} against ${µs(costs.readRowsMicros)}`,
  },
];

const ofShards = (one: ShardCosts, four: ShardCosts): Measurement[] =>
  (['claimMicros', 'storeMicros'] as const).map((cost) => ({
    name: cost === 'claimMicros' ? 'a check claimed from four servers' : 'a result stored on four servers',
    value: four[cost] / one[cost],
    unit: '× the cost on one server',
    bar: { maxValue: 3 },
    detail: `${µs(four[cost])} against ${µs(one[cost])}, summed over the servers`,
  }));

function ofLog(log: AppendCosts, consumers: readonly ConsumerCosts[]): Measurement[] {
  const usual = consumers.find(({ batchSize }) => batchSize === 500)!;
  return [
    {
      name: 'a result appended to a message log',
      value: log.micros,
      unit: 'µs of the checker',
      detail: `${log.bytes.toFixed(0)} bytes`,
    },
    ...consumers
      .filter((consumer) => consumer !== usual)
      .map((consumer) => ({
        name: `a result stored in batches of ${consumer.batchSize}`,
        value: consumer.storeMicros / usual.storeMicros,
        unit: `× the cost in batches of ${usual.batchSize}`,
        detail: `${µs(consumer.storeMicros)} against ${µs(usual.storeMicros)}; ${consumer.walBytes.toFixed(0)} against ${usual.walBytes.toFixed(0)} bytes of WAL`,
      })),
  ];
}

const µs = (micros: number) => `${micros.toFixed(1)} µs`;
