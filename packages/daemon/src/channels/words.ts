import { plainLine } from '../core/plain-line.ts';
import type { ResolveReason } from '../core/alerts.ts';
import type { Message } from './channel.ts';
import type { Notice, NoticeEvent } from './notice.ts';

/**
 * The texts of a message, before a channel formats them. Each text is plain and has one line. Each channel escapes the
 * texts by the rules of its provider.
 */
export interface Words {
  /** The event and the monitor. */
  title: string;
  /** The reason or the duration, and the regions. */
  sentence: string;
  /** The sentence without the regions. */
  cause: string;
  /** Which regions failed and passed, as a sentence; empty if one region checks. */
  where: string;
  /** The details, in the order in which they are shown. */
  facts: { label: string; value: string }[];
  /** The message's link: an address without spaces, double quotes or angle brackets. */
  link: string;
  tone: 'bad' | 'warning' | 'good' | 'neutral';
  /** The emoji of the tone, for channels that show an emoji. */
  emoji: string;
}

interface Heading {
  title: string;
  /** The title of a reminder. */
  still: string;
  tone: Words['tone'];
}

const headings: Record<NoticeEvent, Heading> = {
  monitor_down: { title: 'Down', still: 'Still down', tone: 'bad' },
  monitor_up: { title: 'Up again', still: 'Up again', tone: 'good' },
  ssl_expiring: { title: 'Certificate expires soon', still: 'Certificate not yet renewed', tone: 'warning' },
  ssl_expired: { title: 'Certificate expired', still: 'Certificate still expired', tone: 'bad' },
  ssl_invalid: { title: 'Certificate not valid', still: 'Certificate still not valid', tone: 'bad' },
  domain_expiring: { title: 'Domain expires soon', still: 'Domain not yet renewed', tone: 'warning' },
  domain_expired: { title: 'Domain expired', still: 'Domain still expired', tone: 'bad' },
  test: { title: 'Test', still: 'Test', tone: 'neutral' },
};

const emojis: Record<Words['tone'], string> = { bad: '🔴', warning: '🟠', good: '🟢', neutral: '🔔' };

/** Returns the words of a message, which are the same for every channel. */
export function wordsFor({ notice, link }: Message): Words {
  if (notice.kind === 'code') return codeWords(notice.code ?? '', link);
  const { heading, tone } = headingOf(notice);
  const cause = plainLine(sentenceOf(notice));
  const where = plainLine(whereOf(notice));
  return {
    title: plainLine(`${heading}: ${notice.monitor.name}`),
    sentence: where === '' ? cause : `${cause} ${where}`,
    cause,
    where,
    facts: factsOf(notice).map(({ label, value }) => ({ label, value: plainLine(value) || '–' })),
    link: URL.parse(link)?.href ?? plainLine(link),
    tone,
    emoji: emojis[tone],
  };
}

const codeSentence = 'It is valid for 30 minutes. If you do not want alerts here, do nothing: none will be sent.';

/**
 * Returns the words of a message with a code. They contain no text from the user who entered the address, because the
 * address may be a stranger's.
 */
const codeWords = (code: string, link: string): Words => ({
  title: `Confirmation code ${code}`,
  sentence: codeSentence,
  cause: codeSentence,
  where: '',
  facts: [],
  link,
  tone: 'neutral',
  emoji: emojis.neutral,
});

function headingOf(notice: Notice): { heading: string; tone: Words['tone'] } {
  const { kind, event, ended } = notice;
  const { title, still, tone } = headings[event];
  if (ended) {
    const recovered = ended.reason === 'recovered';
    const down = recovered ? 'Was down, is up again' : 'Was down';
    const heading = event === 'monitor_down' ? down : `Over (${title.toLowerCase()})`;
    return { heading, tone: recovered ? 'good' : 'neutral' };
  }
  if (isClosed(notice)) return { heading: `Closed (${title.toLowerCase()})`, tone: 'neutral' };
  return { heading: kind === 'reminder' ? still : title, tone };
}

/**
 * Whether a message closes an incident without a recovery. A `close` for `monitor_up` is a recovery that only a paging
 * service gets, so its texts are those of a recovery.
 */
const isClosed = ({ kind, event }: Notice) => kind === 'close' && event !== 'monitor_up';

function sentenceOf(notice: Notice): string {
  const { kind, event, error, at, since } = notice;
  if (kind === 'test') return 'This is a test: alerts will arrive here.';
  if (isClosed(notice)) {
    const over = 'the monitor was paused or deleted, or the rule stopped watching it.';
    return event === 'monitor_down' ? asSentence(over) : `It was fixed, ${over}`;
  }
  if (event === 'monitor_up') return `It was down for ${duration(at - since)}.`;
  const why = asSentence(error?.message ?? 'It does not answer');
  if (notice.ended) return `${endSentence(event, since, notice.ended)} ${why}`;
  return kind === 'reminder' && event === 'monitor_down' ? `It has been down for ${duration(at - since)}. ${why}` : why;
}

/** Maximum number of regions that a sentence names for each verdict. */
const maxNamed = 4;

/** Returns sentences such as `Failed in eu and us. Passed in asia.`, or an empty text if only one region checks. */
function whereOf({ kind, event, regions }: Notice): string {
  const isOutage = (event === 'monitor_down' && kind !== 'close') || event === 'monitor_up';
  if (!regions || !isOutage) return '';
  const parts = [
    ['Failed in', regions.failed],
    ['Passed in', regions.passed],
    ['No result from', regions.unknown],
  ] as const;
  return parts.flatMap(([verb, names]) => (names.length === 0 ? [] : [`${verb} ${enumerated(names)}.`])).join(' ');
}

function enumerated(names: readonly string[]): string {
  const left = names.length - maxNamed;
  const shown = left > 1 ? [...names.slice(0, maxNamed), `${left} more`] : names;
  return shown.length === 1 ? shown[0]! : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)!}`;
}

const endReasons: Record<Exclude<ResolveReason, 'recovered'>, string> = {
  paused: 'the monitor was paused',
  deleted: 'the monitor was deleted',
  unwatched: 'the rule stopped watching it',
};

function endSentence(event: NoticeEvent, since: number, { at, reason }: NonNullable<Notice['ended']>): string {
  const was = event === 'monitor_down' ? 'It was down' : 'It lasted';
  if (reason !== 'recovered') return `${was} for ${duration(at - since)}, until ${endReasons[reason]}.`;
  const is = event === 'monitor_down' ? 'has been up' : 'has been fixed';
  return `${was} for ${duration(at - since)}, and ${is} since ${utc(at)}.`;
}

function factsOf({ kind, event, monitor, since, at, details, rule, ended, limited, regions }: Notice): Words['facts'] {
  if (kind === 'test') return [];
  const down = event === 'monitor_down';
  return [
    ...(monitor.url ? [{ label: 'Address', value: monitor.url }] : []),
    { label: down || event === 'monitor_up' ? 'Down since' : 'Noticed', value: utc(since) },
    ...(event === 'monitor_up' ? [{ label: 'Up since', value: utc(at) }] : []),
    ...(ended
      ? [{ label: down && ended.reason === 'recovered' ? 'Up since' : 'Over since', value: utc(ended.at) }]
      : []),
    ...(down && details.statusCode > 0 ? [{ label: 'HTTP status', value: String(details.statusCode) }] : []),
    ...(down && details.region && !regions ? [{ label: 'Checked from', value: details.region }] : []),
    { label: 'Rule', value: rule },
    ...(limited === undefined ? [] : [{ label: 'Message limit', value: limited }]),
  ];
}

/** Turns an error such as `answered 503; expected 200-299` into a sentence. */
function asSentence(text: string): string {
  const trimmed = text.trim();
  const begun = trimmed.charAt(0).toUpperCase() + trimmed.slice(1);
  return /[.!?\u2026]$/.test(begun) ? begun : `${begun}.`;
}

/** Formats a time as `2026-01-31 08:00:00 UTC`. */
export const utc = (at: number): string => `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`;

/** Formats milliseconds in the largest fitting unit and the next smaller unit: `3 d 4 h`, `5 min 12 s`, `0 s`. */
export function duration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  const largest = units.findIndex(([, size]) => seconds >= size);
  if (largest === -1) return '0 s';
  let left = seconds;
  return units
    .slice(largest, largest + 2)
    .map(([unit, size]) => {
      const count = Math.floor(left / size);
      left -= count * size;
      return count > 0 ? `${count} ${unit}` : '';
    })
    .join(' ')
    .trim();
}

const units = [
  ['d', 86_400],
  ['h', 3600],
  ['min', 60],
  ['s', 1],
] as const;
