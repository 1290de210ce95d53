import { nextCheckAt, phaseOf } from '../packages/daemon/src/core/schedule.ts';
import { type AlertReceiver, alertReceiver } from '../test/faults/alert-receiver.ts';
import { type DaemonProcess, startDaemonProcess } from '../test/faults/daemon-process.ts';
import { switchedTargets } from '../test/faults/switched-targets.ts';
import { until } from '../test/faults/until.ts';
import { type Measurement, report } from './measurement.ts';

const monitors = 200;
const intervalMs = 1000;
/** The lateness of checks is measured for this long, from the start of the outage. */
const watchedMs = 20_000;

/**
 * 200 monitors go down at once, and each alarm is for four channels. One channel hangs, one refuses connections, one
 * returns 500, and one works. Measures how soon after the verdicts the working channel gets its alarms, and how late
 * checks end while alarms are sent. The daemon runs in its own process.
 */
export async function benchAlerts(): Promise<Measurement[]> {
  await using targets = await switchedTargets();
  await using good = await alertReceiver('good');
  await using hanging = await alertReceiver('hanging', () => 'hang');
  await using failing = await alertReceiver('failing', () => 'fail');
  const refusing = await alertReceiver('refusing');
  await refusing[Symbol.asyncDispose]();
  await using daemon = await startDaemonProcess();

  const channelIds: string[] = [];
  for (const { channel } of [hanging, refusing, failing, good])
    channelIds.push(await create(daemon, '/api/notification-channels', channel));
  const monitorIds: string[] = [];
  for (let page = 0; page < monitors; page++) {
    const { id } = await daemon.monitor({ name: String(page), type: 'http', url: targets.url(page), interval: 1 });
    monitorIds.push(id);
  }
  await create(daemon, '/api/alert-rules', { name: 'all', monitorIds, channelIds });

  const before = Date.now();
  await new Promise((resolve) => setTimeout(resolve, watchedMs / 2));
  const began = Date.now();
  for (let page = 0; page < monitors; page++) targets.set(page, 'failing');
  await until('every alarm reached the working channel', 60_000, () => good.received.length >= monitors);
  await new Promise((resolve) => setTimeout(resolve, Math.max(0, began + watchedMs - Date.now())));

  const delays = delaysOf(daemon, good);
  const calm = latenessOf(daemon, before, began);
  const late = latenessOf(daemon, began, began + watchedMs);
  return [
    {
      name: 'p99 from the verdict to the working channel, beside channels that hang, refuse connections and fail',
      value: percentile(delays, 99),
      unit: 'ms ',
      bar: { maxValue: 2000 },
      detail: `${monitors} alarms at once to each; median ${percentile(delays, 50)} ms, last after ${Math.max(...delays)} ms`,
    },
    {
      name: 'p99 of how late a check ends while the alarms are sent',
      value: percentile(late, 99),
      unit: 'ms ',
      bar: { maxValue: 1000 },
      detail: `${late.length} checks of ${monitors} monitors every second; before the alarms ${percentile(calm, 99)} ms`,
    },
  ];
}

async function create(daemon: DaemonProcess, path: string, fields: object): Promise<string> {
  const { status, body } = await daemon.request('POST', path, fields);
  if (status !== 201) throw new Error(`${path} returned ${status}: ${JSON.stringify(body)}`);
  return (body as { id: string }).id;
}

/** Returns the milliseconds from the opening of each alert to the arrival of its alarm. */
function delaysOf(daemon: DaemonProcess, receiver: AlertReceiver): number[] {
  const database = daemon.open();
  const alerts = database
    .prepare(
      `select delivery.id, triggered_at from delivery join alert on alert.seq = delivery.alert where channel_name = ?`,
    )
    .all(receiver.channel.name) as { id: string; triggered_at: number }[];
  database.close();
  const triggered = new Map(alerts.map(({ id, triggered_at: at }) => [id, at]));
  return receiver.received.map(({ id, at }) => at - triggered.get(id)!);
}

/** For each check that ended in a time span, returns the milliseconds from its due time to its end. */
function latenessOf(daemon: DaemonProcess, from: number, until: number): number[] {
  const database = daemon.open();
  const results = database
    .prepare(
      `select monitor, region, at from (select * from result union select monitor, at, region, code, tenths from recent_result)
       where at >= ? and at < ? order by monitor, region, at`,
    )
    .all(from, until) as { monitor: number; region: number; at: number }[];
  database.close();
  return results.slice(1).flatMap(({ monitor, region, at }, before) => {
    const previous = results[before]!;
    if (previous.monitor !== monitor) return [];
    return [at - nextCheckAt(previous.at, intervalMs, phaseOf(monitor, region, intervalMs))];
  });
}

const percentile = (values: readonly number[], percent: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor((values.length * percent) / 100))]!;

if (import.meta.main) report(await benchAlerts());
