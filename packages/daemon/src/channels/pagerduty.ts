import { call } from './call.ts';
import type { Channel } from './channel.ts';
import { cut } from './cut.ts';
import type { NoticeEvent } from './notice.ts';
import { sendForms } from './send-forms.ts';
import { plainLine } from '../core/plain-line.ts';
import { wordsFor } from './words.ts';

/** PagerDuty's Events API v2: https://developer.pagerduty.com/docs/send-alert-event */
export const pagerduty: Channel<'pagerduty'> = {
  send({ integrationKey }, message, context) {
    const { kind, event, alert, monitor, at } = message.notice;
    const { title, sentence, facts, link } = wordsFor(message);
    const to = {
      url: `${context.gateways.pagerdutyUrl.replace(/\/+$/, '')}/v2/enqueue`,
      secrets: [integrationKey],
    };
    // All messages of one alert have the same key, so PagerDuty adds them to one incident.
    const incident = { routing_key: integrationKey, dedup_key: alert };
    if (kind === 'recovery' || kind === 'close')
      return call(context, { ...to, json: { ...incident, event_action: 'resolve' } });
    const trigger = { ...incident, event_action: 'trigger' };
    const payload = {
      summary: cut(`${title}. ${sentence}`, 1024),
      source: cut(plainLine(monitor.url || monitor.name), 255),
      severity: severities[event],
    };
    return sendForms(context, {
      rich: {
        ...to,
        json: {
          ...trigger,
          client: 'uptime',
          client_url: link,
          links: [{ href: link, text: 'Open' }],
          payload: {
            ...payload,
            timestamp: new Date(at).toISOString(),
            class: event,
            custom_details: Object.fromEntries(facts.map(({ label, value }) => [label, cut(value, 1024)])),
          },
        },
      },
      // The plain form has only the fields that PagerDuty requires.
      plain: { ...to, json: { ...trigger, payload } },
    });
  },
};

const severities: Record<NoticeEvent, 'critical' | 'error' | 'warning' | 'info'> = {
  monitor_down: 'critical',
  monitor_up: 'info',
  ssl_expiring: 'warning',
  ssl_expired: 'error',
  ssl_invalid: 'error',
  domain_expiring: 'warning',
  domain_expired: 'error',
  test: 'info',
};
