import { type Html, html } from './html.ts';
import type { IncidentView } from './view.ts';
import { duration } from './words.ts';

/** Maintenance in force. */
export const banner = (incident: IncidentView): Html =>
  html`<section class="banner">
    <h2 dir="auto">${incident.title}</h2>
    <p>Maintenance until ${time(incident.scheduledEnd ?? incident.startedAt)}.${affected(incident)}</p>
    ${timeline(incident)}
  </section>`;

/** An incident, or maintenance that is ahead or over. */
export function incidentEntry(incident: IncidentView): Html {
  const { title, status, maintenance, startedAt, scheduledEnd, resolvedAt } = incident;
  return html`<article>
    <div class="head">
      <h3 dir="auto">${title}</h3>
      <span class="status">${maintenance ? 'Maintenance' : capital(status)}</span>
    </div>
    <p>${when()}${affected(incident)}</p>
    ${timeline(incident)}
  </article>`;

  function when(): Html {
    const end = resolvedAt ?? scheduledEnd;
    if (maintenance && resolvedAt !== null && resolvedAt <= startedAt)
      return html`Called off ${time(resolvedAt)}; it was planned for ${time(startedAt)}.`;
    if (maintenance && end !== null) return html`${time(startedAt)} to ${time(end)}.`;
    if (resolvedAt === null) return html`Since ${time(startedAt)}.`;
    return html`${time(startedAt)}, resolved after ${duration(resolvedAt - startedAt)}.`;
  }
}

const affected = ({ monitors }: IncidentView): Html | null =>
  monitors.length === 0
    ? null
    : html` Affects ${monitors.map((name, index) => html`${index > 0 ? ', ' : null}<bdi>${name}</bdi>`)}.`;

const timeline = ({ updates }: IncidentView): Html | null =>
  updates.length === 0
    ? null
    : html`<ol class="timeline">
        ${updates
          .toReversed()
          .map(
            ({ status, message, at }) =>
              html`<li>
                <b>${capital(status)}</b> ${time(at)}${message === '' ? null : html`<p dir="auto">${message}</p>`}
              </li>`,
          )}
      </ol>`;

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** In UTC; JavaScript says it in the reader's own zone. */
export const time = (at: number): Html => {
  const iso = new Date(at).toISOString();
  return html`<time datetime="${iso}">${iso.slice(0, 16).replace('T', ' ')} UTC</time>`;
};
