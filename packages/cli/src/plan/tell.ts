import type { Context } from '../context.ts';
import type { ExitName } from '../exit.ts';
import type { Io } from '../io.ts';
import { fieldsOf, type Remote } from '../kinds/kind.ts';
import { type Format, output, table } from '../output.ts';
import type { Applied } from './apply.ts';
import type { Plan } from './change.ts';
import { tellFailures } from './failures.ts';
import { describe } from './render-text.ts';
import { type JsonPlan, renderJson } from './render-json.ts';

interface PingAddress {
  name: string;
  key: string | null;
  pingUrl: string;
}

/** Ends a run that changed nothing: the plan as data where asked for, and the ping addresses. */
export async function tellPlan(
  plan: Plan,
  format: Format,
  io: Io,
  { pingUrls, rendered }: { pingUrls: boolean; rendered: JsonPlan },
): Promise<void> {
  const addresses = pingUrls ? pingAddresses(plan.unchanged.map(({ current }) => current)) : [];
  await output(io, format, pingUrls ? { ...rendered, pingUrls: addresses } : rendered, () => addressTable(addresses));
}

/** Ends an apply: what was done and what was not, the ping addresses, and how it ended. */
export async function tellApplied(plan: Plan, applied: Applied, format: Format, context: Context): Promise<ExitName> {
  const { io, signal } = context;
  const { done, failed, skipped } = applied;
  const addresses = pingAddresses([
    ...done.flatMap(({ result }) => (result ? [result] : [])),
    ...plan.unchanged.map(({ current }) => current),
  ]);
  const failures = await tellFailures(failed, context);
  const stopped = failed.length > 0 || skipped.length > 0;
  if (stopped) {
    io.say(`${done.length} of ${plan.changes.length} changes were made; the rest was not begun.`);
    for (const change of skipped) io.say(`  not begun: ${change.action} ${describe(change)}`);
    io.say('  Applying again goes on from here.');
  } else io.say(`Applied: ${done.length} changed, ${plan.unchanged.length} unchanged.`);

  const data = {
    ...renderJson(plan),
    applied: { done: done.length, failed: failures.messages, notBegun: skipped.length },
    pingUrls: addresses,
  };
  await output(io, format, data, () => addressTable(addresses));
  if (!stopped) return 'ok';
  if (signal.aborted) return 'interrupted';
  if (done.length > 0) return 'partial';
  return failures.unauthorised ? 'unauthorised' : 'failed';
}

const pingAddresses = (remotes: readonly Remote[]): PingAddress[] =>
  remotes.flatMap((remote) => {
    const { pingUrl } = fieldsOf(remote);
    return typeof pingUrl === 'string' ? [{ name: remote.name, key: remote.key ?? null, pingUrl }] : [];
  });

const addressTable = (addresses: readonly PingAddress[]): string =>
  addresses.length === 0
    ? ''
    : `\n${table(addresses, [
        { title: 'HEARTBEAT', value: ({ name }) => name },
        { title: 'PING ADDRESS', value: ({ pingUrl }) => pingUrl },
      ])}`;
