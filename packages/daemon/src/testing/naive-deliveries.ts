import { type ChannelType, channelTypeDefinitions } from '@uptime/sdk/contract';

/**
 * A simple model of what a channel must receive, written only from docs/alerting.md. It knows only the outages and the
 * requests to the provider. Times are milliseconds since the beginning of the history.
 */

/**
 * How a provider treats a message. `refuse rich`: it refuses the rich form of the message, and accepts the plain form.
 * `cut`: it accepts the message, but the connection breaks before its answer arrives. `silent`: it never answers.
 */
export type Behaviour =
  'ok' | 'redirect' | 'refuse' | 'refuse rich' | 'limit' | 'limit for 5 s' | 'fault' | 'slow' | 'cut' | 'silent';

export interface DeliveryHistory {
  type: ChannelType;
  reminds: boolean;
  /** How the provider behaves in consecutive periods. After the last period it accepts all messages. */
  spells: { lasts: number; behaviour: Behaviour }[];
  outages: { start: number; end: number | null }[];
  /** When the channel gets another key. */
  newKeyAt: number | null;
  deletedAt: number | null;
}

/** One request to the provider. */
export interface Asked {
  id: string;
  what: 'alarm' | 'both' | 'reminder' | 'recovery' | 'close';
  /** When the outage of this message began. */
  since: number;
  /** The channel's key in this request. */
  key: string;
  begunAt: number;
  /** When the daemon claimed the message and wrote its text. The text cannot mention later events. */
  claimed: number;
  behaviour: Behaviour;
  /** Whether the provider accepted the message, even if its answer did not arrive. */
  taken: boolean;
  /** Whether the daemon was stopped during the request. */
  cutOff: boolean;
}

/** Returns the faults in a channel's messages, in words; an empty list if there are none. */
export function faultsOf(history: DeliveryHistory, asked: readonly Asked[]): string[] {
  return [
    ...doubled(asked),
    ...history.outages.flatMap((outage) => aboutOutage(history, outage, asked)),
    ...order(history, asked),
  ];
}

const isAlarm = ({ what }: Asked) => what === 'alarm' || what === 'both';
const isEnd = ({ what }: Asked) => what === 'recovery' || what === 'close';
const wasCut = ({ behaviour, cutOff }: Asked) => behaviour === 'cut' || cutOff;

/**
 * Returns the messages that arrived twice. Does not count arrivals whose connection was cut, because the daemon cannot
 * know that such a message arrived.
 */
function doubled(asked: readonly Asked[]): string[] {
  const ids = [...new Set(asked.map(({ id }) => id))];
  return ids
    .filter((id) => asked.filter((one) => one.id === id && one.taken && !wasCut(one)).length > 1)
    .map((id) => `doubled: ${id}`);
}

function aboutOutage(
  { type, deletedAt }: DeliveryHistory,
  { start, end }: DeliveryHistory['outages'][number],
  all: readonly Asked[],
): string[] {
  const asked = all.filter(({ since }) => since === start);
  const taken = asked.filter((one) => one.taken);
  const alarms = taken.filter(isAlarm);
  const ends = taken.filter(isEnd);
  const { keepsIncidents, lateAlarms } = channelTypeDefinitions[type];
  const faults: string[] = [];
  const say = (fault: string) => void faults.push(`${fault}: the outage at ${start / 1000} s`);
  const refused = (one: (asked: Asked) => boolean) =>
    asked.filter((request) => one(request) && request.behaviour === 'refuse').length >= 2;

  if (alarms.filter((one) => !wasCut(one)).length > 1) say('alarm sent twice');
  if (end === null && deletedAt === null && alarms.length === 0) say('lost');
  for (const one of asked) {
    const mayBeOver = end !== null && one.begunAt >= end;
    if (one.what === 'both' && (!mayBeOver || lateAlarms !== 'combined')) say('wrongly reported as over');
    const isOver = end !== null && one.claimed > end;
    if (isOver && lateAlarms !== 'each' && (one.what === 'alarm' || one.what === 'reminder'))
      say(`${one.what} sent after the end`);
    if (isEnd(one) && end === null && deletedAt === null) say('end sent while it is open');
    // A paging service may have opened an incident although it answered with an error.
    const known = asked.some(
      (other) => isAlarm(other) && other.begunAt < one.begunAt && (other.taken || keepsIncidents),
    );
    if (isEnd(one) && !known) say('an end without its alarm');
  }

  if (keepsIncidents) {
    for (const trigger of taken.filter(({ what }) => what === 'alarm' || what === 'reminder')) {
      const resolved = ends.some(({ key, begunAt }) => key === trigger.key && begunAt > trigger.begunAt);
      if ((end !== null || deletedAt !== null) && !resolved && !refused(isEnd)) say(`never closed at ${trigger.key}`);
    }
    return faults;
  }
  if (end === null || deletedAt !== null || lateAlarms === 'omit') return faults;
  if (alarms.length === 0 && !refused(isAlarm)) say('never reported');
  const plain = alarms.some((one) => one.what === 'alarm' && !wasCut(one));
  if (plain && ends.length === 0 && !refused(isEnd)) say('no recovery');
  if (alarms.some((one) => one.what === 'both' && !wasCut(one)) && ends.length > 0) say('end sent twice');
  return faults;
}

/**
 * Returns the outages that were reported in the wrong order. Only a channel with `lateAlarms: 'each'` must get all
 * events in order. Even there, events of a newer outage may overtake a message that keeps failing.
 */
function order({ type, outages }: DeliveryHistory, asked: readonly Asked[]): string[] {
  if (channelTypeDefinitions[type].lateAlarms !== 'each') return [];
  const tries = (since: number) => asked.filter((one) => one.since === since);
  const firsts = outages.map(({ start }) =>
    tries(start)
      .filter((one) => one.taken)
      .map(({ begunAt }) => begunAt),
  );
  const failures = (since: number) => tries(since).filter((one) => !one.taken || wasCut(one)).length;
  return outages.flatMap(({ start }, at) => {
    const later = firsts.slice(at + 1).flat();
    const passed = later.length > 0 && Math.max(...(firsts[at] ?? [])) > Math.min(...later);
    const mayBePassed = outages
      .slice(0, at + 1)
      .some((one) => failures(one.start) >= 4 || tries(one.start).some(wasCut));
    return passed && !mayBePassed ? [`out of order: the outage at ${start / 1000} s`] : [];
  });
}
