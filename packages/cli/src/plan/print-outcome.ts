import type { Context } from '../context.ts';
import type { ExitName } from '../exit.ts';
import type { Io } from '../io.ts';
import { fieldsOf, type Remote } from '../kinds/kind.ts';
import { plain } from '../output.ts';
import { table } from '../table.ts';
import type { Applied, Failure } from './apply.ts';
import type { Plan } from './change.ts';
import { printFailures } from './failures.ts';
import { type JsonPlan, renderJson } from './render-json.ts';

interface PingAddress {
  name: string;
  key: string | null;
  pingUrl: string;
}

/** Prints the outcome of a run: data for programs, or a table for people. */
export type Print = (data: JsonPlan, table: () => string, failed: readonly string[]) => Promise<void>;

/**
 * Prints the outcome of a run that changed nothing: the plan as data if the format asks for data, and the ping
 * addresses.
 */
export async function printPlanOutcome(
  plan: Plan,
  print: Print,
  io: Io,
  { pingUrls, rendered }: { pingUrls: boolean; rendered: JsonPlan },
): Promise<void> {
  const current = plan.unchanged.map((one) => one.current);
  sayUnconfirmed(current, io);
  const addresses = pingUrls ? pingAddresses(current) : [];
  await print(pingUrls ? { ...rendered, pingUrls: addresses } : rendered, () => addressTable(addresses), []);
}

/** A finished apply. */
export interface AppliedPlan {
  plan: Plan;
  applied: Applied;
  /** Whether the plan came from a file. Such a plan cannot be applied again after some of its changes were made. */
  isSaved: boolean;
}

/**
 * Prints the outcome of an apply: which changes were made and which were not, and the ping addresses. Returns how the
 * run ended.
 */
export async function printApplyOutcome(
  { plan, applied, isSaved }: AppliedPlan,
  print: Print,
  context: Context,
): Promise<ExitName> {
  const { io, signal } = context;
  const { done, failed, skipped } = applied;
  const remotes = [
    ...done.flatMap(({ result }) => (result ? [result] : [])),
    ...plan.unchanged.map(({ current }) => current),
  ];
  const addresses = pingAddresses(remotes);
  const failures = await printFailures(failed, context);
  const stopped = failed.length > 0 || skipped.length > 0;
  const isPartial = done.length > 0 || failed.some(({ made }) => made !== 'nothing');
  if (stopped) {
    io.say(countOf(plan, applied));
    io.say(
      isSaved && isPartial
        ? '  Make a new plan to continue; the server has changed since this plan was made.'
        : '  Apply again to continue.',
    );
  } else io.say(`Applied: ${done.length} changed, ${plan.unchanged.length} unchanged.`);
  sayUnconfirmed(remotes, io);

  const data = {
    ...renderJson(plan),
    applied: {
      done: done.length,
      inPart: countMade(applied, 'a part'),
      unknown: countMade(applied, 'unknown'),
      failed: failures.messages,
      notBegun: skipped.length,
    },
    pingUrls: addresses,
  };
  await print(data, () => addressTable(addresses), failures.messages);
  if (!stopped) return 'ok';
  if (signal.aborted) return 'interrupted';
  if (isPartial) return 'partial';
  return failures.unauthorised ? 'unauthorised' : 'failed';
}

/** Maximum number of unconfirmed channels that are named one by one. */
const maxNamedChannels = 5;

/** Prints which channels get no alerts until their address is confirmed with a code. */
function sayUnconfirmed(remotes: readonly Remote[], io: Io): void {
  const waiting = remotes.filter((remote) => fieldsOf(remote)['confirmedAt'] === null);
  const warning = io.err.yellow('warning:');
  for (const { id, name } of waiting.slice(0, maxNamedChannels)) {
    io.say(`${warning} channel ${JSON.stringify(plain(name))} gets no alerts until its address is confirmed`);
    io.say(`  type \`uptime channels confirm ${id} <code>\` with the code that was sent there`);
  }
  const more = waiting.length - maxNamedChannels;
  if (more > 0) io.say(`${warning} ${more} more ${more === 1 ? 'channel waits' : 'channels wait'} for a code`);
}

const countMade = ({ failed }: Applied, what: Failure['made']): number =>
  failed.filter(({ made }) => made === what).length;

/**
 * Returns a sentence such as `3 of 40 changes were made; 37 were not started.` The sentence counts changes with an
 * unknown outcome separately.
 */
function countOf({ changes }: Plan, applied: Applied): string {
  const [parts, unknown] = [countMade(applied, 'a part'), countMade(applied, 'unknown')];
  const notBegun = applied.skipped.length;
  return [
    `${applied.done.length} of ${changes.length} changes were made${parts > 0 ? `, and ${parts} in part` : ''}`,
    ...(unknown > 0 ? [`${unknown} may have been made: the server did not confirm that`] : []),
    ...(notBegun > 0 ? [`${notBegun} ${notBegun === 1 ? 'was' : 'were'} not started`] : []),
  ]
    .join('; ')
    .concat('.');
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
