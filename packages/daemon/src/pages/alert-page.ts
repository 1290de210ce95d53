import type { Trigger } from '@uptime/sdk/contract';
import type { ResolveReason } from '../core/alerts.ts';
import { type Html, html } from '../status-page/html.ts';
import { duration } from '../status-page/words.ts';
import { document, time } from './document.ts';
import type { AlertView } from './load-alert.ts';

const titles: Record<Trigger, { title: string; tone: 'bad' | 'warning' }> = {
  monitor_down: { title: 'Down', tone: 'bad' },
  ssl_expiring: { title: 'Certificate expires soon', tone: 'warning' },
  ssl_expired: { title: 'Certificate expired', tone: 'bad' },
  ssl_invalid: { title: 'Certificate not valid', tone: 'bad' },
  domain_expiring: { title: 'Domain expires soon', tone: 'warning' },
  domain_expired: { title: 'Domain expired', tone: 'bad' },
};
const marks = { bad: '✕', warning: '!', good: '✓', neutral: '–' } as const;

/** Returns the page of an alert. Anyone who has the link may read the page. */
export function alertPage(alert: AlertView, now: number): string {
  const { monitor, since, reason, end } = alert;
  const { tone, state, sentence } = stateOf(alert, now);
  const down = alert.type === 'monitor_down';
  const facts: [string, Html | string][] = [
    ...(reason === null ? [] : [['Reason', capital(reason)] as [string, string]]),
    [down ? 'Down since' : 'Noticed', time(since)],
    ...(end ? [[endLabel(alert.type, end.reason), time(end.at)] as [string, Html]] : []),
  ];
  return document(
    `${state}: ${monitor}`,
    html`<h1><bdi>${monitor}</bdi></h1>
      <div class="state ${tone}">
        <p>${marks[tone]} ${state}</p>
        <p>${sentence}</p>
      </div>
      <dl>
        ${facts.map(
          ([label, value]) =>
            html`<div>
              <dt>${label}</dt>
              <dd dir="auto">${value}</dd>
            </div>`,
        )}
      </dl>
      <footer>
        <p>As of ${time(now)}. Reload the page for the current state.</p>
      </footer>`,
  );
}

function stateOf(
  { type, since, end }: AlertView,
  now: number,
): { tone: keyof typeof marks; state: string; sentence: string } {
  const { title, tone } = titles[type];
  if (end?.reason === 'recovered') {
    const lasted = duration(Math.max(0, end.at - since));
    return type === 'monitor_down'
      ? { tone: 'good', state: 'Up again', sentence: `It was down for ${lasted}.` }
      : { tone: 'good', state: mended[type], sentence: `The problem was noticed ${lasted} earlier.` };
  }
  if (end) return { tone: 'neutral', state: `Closed (${title.toLowerCase()})`, sentence: closed[end.reason] };
  const lasts = duration(Math.max(0, now - since));
  return {
    tone,
    state: title,
    sentence: type === 'monitor_down' ? `It has been down for ${lasts}.` : `The problem was noticed ${lasts} ago.`,
  };
}

/** The state that the page shows when a problem with a certificate or a domain is over. */
const mended: Record<Exclude<Trigger, 'monitor_down'>, string> = {
  ssl_expiring: 'Certificate renewed',
  ssl_expired: 'Certificate renewed',
  ssl_invalid: 'Certificate valid again',
  domain_expiring: 'Domain renewed',
  domain_expired: 'Domain renewed',
};

const closed: Record<Exclude<ResolveReason, 'recovered'>, string> = {
  paused: 'The monitor was paused.',
  deleted: 'The monitor was deleted.',
  unwatched: 'The rule stopped watching the monitor.',
};

const endLabel = (type: Trigger, reason: ResolveReason): string => {
  if (reason !== 'recovered') return 'Closed';
  return type === 'monitor_down' ? 'Up since' : 'Over since';
};

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
