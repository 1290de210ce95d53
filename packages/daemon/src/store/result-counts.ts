import { bucketOf } from '../core/response-histogram.ts';
import { hourMs } from '../core/uptime.ts';
import { readResultCode } from './result-code.ts';
import type { CheckHourTable, ResponseHistogramTable, ResultTable } from './tables.ts';

/**
 * Returns what these results add to the tables `check_hour` and `response_histogram`. Only the response times of passed
 * checks are added.
 */
export function countsOf(results: readonly ResultTable[]): {
  hours: CheckHourTable[];
  buckets: ResponseHistogramTable[];
} {
  const hours = new Map<string, CheckHourTable>();
  const buckets = new Map<string, ResponseHistogramTable>();
  for (const { monitor, at, region, code, tenths } of results) {
    const hour = Math.floor(at / hourMs);
    const failed = readResultCode(code).error !== null;
    const checks = entry(hours, `${monitor} ${hour} ${region}`, () => ({
      monitor,
      hour,
      region,
      checks: 0,
      failed: 0,
      tenths_sum: 0,
    }));
    checks.checks++;
    if (failed) checks.failed++;
    if (failed || tenths === null) continue;
    checks.tenths_sum += tenths;
    const bucket = bucketOf(tenths);
    const times = entry(buckets, `${monitor} ${hour} ${bucket}`, () => ({
      monitor,
      hour,
      bucket,
      count: 0,
      tenths_sum: 0,
    }));
    times.count++;
    times.tenths_sum += tenths;
  }
  return { hours: [...hours.values()], buckets: [...buckets.values()] };
}

function entry<V>(map: Map<string, V>, key: string, create: () => V): V {
  let value = map.get(key);
  if (value === undefined) {
    value = create();
    map.set(key, value);
  }
  return value;
}
