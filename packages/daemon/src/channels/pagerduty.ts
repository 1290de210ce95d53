import { call } from './call.ts';
import type { Channel } from './channel.ts';
import { cut } from './cut.ts';
import type { NoticeEvent } from './notice.ts';
import { line, wordsFor } from './words.ts';

/** PagerDuty's Events API v2: https://developer.pagerduty.com/docs/send-alert-event */
export const pagerduty: Channel<'pagerduty'> = {
  closes: true,
  late: 'omit',
  send({ integrationKey }, message, context) {
    const { kind, event, alert, monitor, at } = message.notice;
    const over = kind === 'recovery' || kind === 'close';
    const { title, sentence, facts, link } = wordsFor(message);
    return call(context, {
      url: `${context.gateways.pagerdutyUrl.replace(/\/+$/, '')}/v2/enqueue`,
      secrets: [integrationKey],
      json: {
        routing_key: integrationKey,
        event_action: over ? 'resolve' : 'trigger',
        // What a repetition, a reminder and the resolve have in common with the alarm.
        dedup_key: alert,
        ...(!over && {
          client: 'uptime',
          client_url: link,
          links: [{ href: link, text: 'Open' }],
          payload: {
            summary: cut(`${title}. ${sentence}`, 1024),
            source: cut(line(monitor.url || monitor.name), 255),
            severity: severities[event],
            timestamp: new Date(at).toISOString(),
            class: event,
            custom_details: Object.fromEntries(facts.map(({ label, value }) => [label, cut(value, 1024)])),
          },
        }),
      },
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
