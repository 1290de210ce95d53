import type { Trigger } from '@uptime/sdk/contract';
import { type Html, html } from '../status-page/html.ts';
import { duration } from '../status-page/words.ts';
import { document, time } from './document.ts';
import type { AlertView } from './load-alert.ts';

const titles: Record<Trigger, { title: string; mood: 'bad' | 'warning' }> = {
  monitor_down: { title: 'Down', mood: 'bad' },
  ssl_expiring: { title: 'Certificate expires soon', mood: 'warning' },
  ssl_expired: { title: 'Certificate expired', mood: 'bad' },
  ssl_invalid: { title: 'Certificate not valid', mood: 'bad' },
  domain_expiring: { title: 'Domain expires soon', mood: 'warning' },
  domain_expired: { title: 'Domain expired', mood: 'bad' },
};
const marks = { bad: '✕', warning: '!', good: '✓', neutral: '–' } as const;

/** What is known about an alert, as of `now` in epoch milliseconds, for whoever holds its link. */
export function alertPage(alert: AlertView, now: number): string {
  const { monitor, since, reason, end } = alert;
  const { mood, state, sentence } = stateOf(alert, now);
  const down = alert.type === 'monitor_down';
  const facts: [string, Html | string][] = [
    ...(reason === null ? [] : [['Reason', capital(reason)] as [string, string]]),
    [down ? 'Down since' : 'Noticed', time(since)],
    ...(end ? [[end.how === 'mended' ? 'Up since' : 'Closed', time(end.at)] as [string, Html]] : []),
  ];
  return document(
    `${state}: ${monitor}`,
    html`<h1><bdi>${monitor}</bdi></h1>
      <div class="state ${mood}">
        <p>${marks[mood]} ${state}</p>
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
        <p>As of ${time(now)}. Load the page again to see what is so then.</p>
      </footer>`,
  );
}

function stateOf(
  { type, since, end }: AlertView,
  now: number,
): { mood: keyof typeof marks; state: string; sentence: string } {
  const { title, mood } = titles[type];
  if (end?.how === 'mended')
    return { mood: 'good', state: 'Up again', sentence: `It was down for ${duration(end.at - since)}.` };
  if (end) {
    const closed = type === 'monitor_down' ? '' : 'It was renewed or mended, or ';
    const why = `${closed}${closed ? 'the' : 'The'} monitor was paused, deleted, or is no longer watched.`;
    return { mood: 'neutral', state: `Closed (${title.toLowerCase()})`, sentence: why };
  }
  const lasts = duration(Math.max(0, now - since));
  return { mood, state: title, sentence: type === 'monitor_down' ? `For ${lasts} now.` : `Known for ${lasts}.` };
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
