import type { Message } from './channel.ts';
import type { NoticeEvent } from './notice.ts';

/** What a message says, before a channel gives it its form. Plain text: each format escapes it by its own rules. */
export interface Words {
  /** One line: what happened to which monitor. */
  title: string;
  /** One sentence: why, or for how long. */
  sentence: string;
  /** The details, in order. */
  facts: { label: string; value: string }[];
  link: string;
  mood: 'bad' | 'warning' | 'good' | 'neutral';
  /** An emoji for formats that like one. */
  emoji: string;
}

const happened: Record<NoticeEvent, { title: string; mood: Words['mood']; emoji: string }> = {
  monitor_down: { title: 'Down', mood: 'bad', emoji: '🔴' },
  monitor_up: { title: 'Up again', mood: 'good', emoji: '🟢' },
  ssl_expiring: { title: 'Certificate expires soon', mood: 'warning', emoji: '🟠' },
  ssl_expired: { title: 'Certificate expired', mood: 'bad', emoji: '🔴' },
  ssl_invalid: { title: 'Certificate not valid', mood: 'bad', emoji: '🔴' },
  domain_expiring: { title: 'Domain expires soon', mood: 'warning', emoji: '🟠' },
  domain_expired: { title: 'Domain expired', mood: 'bad', emoji: '🔴' },
  test: { title: 'Test', mood: 'neutral', emoji: '🔔' },
};

/** The words of a message, the same for every channel. */
export function wordsFor({ notice, link }: Message): Words {
  const { title, mood, emoji } = happened[notice.event];
  const { kind, monitor, since, at, error, details } = notice;
  if (kind === 'test') {
    return {
      title: `Test: ${monitor.name}`,
      sentence: 'This is a test: alerts will arrive here.',
      facts: [],
      link,
      mood,
      emoji,
    };
  }
  const still = kind === 'reminder' ? 'Still ' : '';
  const heading = still ? `${still}${title.charAt(0).toLowerCase()}${title.slice(1)}` : title;
  const facts = [
    ...(monitor.url ? [{ label: 'Address', value: monitor.url }] : []),
    { label: notice.event === 'monitor_up' ? 'Was down since' : 'Since', value: utc(since) },
    ...(notice.event === 'monitor_up' ? [{ label: 'Back at', value: utc(at) }] : []),
    ...(details.statusCode > 0 ? [{ label: 'HTTP status', value: String(details.statusCode) }] : []),
    ...(details.region ? [{ label: 'Checked from', value: details.region }] : []),
    { label: 'Rule', value: notice.rule },
  ];
  const after = duration(at - since);
  const sentence =
    notice.event === 'monitor_up'
      ? `It was down for ${after}.`
      : `${error?.message ?? 'It no longer answers.'}${still ? ` For ${after} now.` : ''}`;
  return { title: `${heading}: ${monitor.name}`, sentence, facts, link, mood, emoji };
}

/** `2026-01-31 08:00:00 UTC` */
export const utc = (at: number): string => `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`;

/** The two largest units of a duration in milliseconds: `3 d 4 h`, `5 min 12 s`, `0 s`. */
export function duration(ms: number): string {
  let left = Math.max(0, Math.round(ms / 1000));
  const parts: string[] = [];
  for (const [unit, size] of [
    ['d', 86_400],
    ['h', 3600],
    ['min', 60],
    ['s', 1],
  ] as const) {
    const count = Math.floor(left / size);
    left -= count * size;
    if (count > 0) parts.push(`${count} ${unit}`);
  }
  return parts.slice(0, 2).join(' ') || '0 s';
}
