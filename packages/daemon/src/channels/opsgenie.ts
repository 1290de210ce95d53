import { call } from './call.ts';
import type { Channel } from './channel.ts';
import { cut } from './cut.ts';
import type { NoticeEvent } from './notice.ts';
import { plainText } from './plain-text.ts';
import { sendForms } from './send-forms.ts';
import { plainLine } from '../core/plain-line.ts';
import { wordsFor } from './words.ts';

const hosts = { us: 'https://api.opsgenie.com', eu: 'https://api.eu.opsgenie.com' };

/** Opsgenie's Alert API: https://docs.opsgenie.com/docs/alert-api */
export const opsgenie: Channel<'opsgenie'> = {
  send({ apiKey, region }, message, context) {
    const { kind, event, alert, monitor } = message.notice;
    const words = wordsFor(message);
    const { title, sentence, facts, link } = words;
    const alerts = `${(context.gateways.opsgenieUrl ?? hosts[region]).replace(/\/+$/, '')}/v2/alerts`;
    const authorized = { headers: { authorization: `GenieKey ${apiKey}` }, secrets: [apiKey] };
    if (kind === 'recovery' || kind === 'close') {
      const url = `${alerts}/${encodeURIComponent(alert)}/close?identifierType=alias`;
      return call(context, { ...authorized, url, json: { source: 'uptime', note: cut(sentence, 1000) } });
    }
    const to = { ...authorized, url: alerts };
    // Opsgenie adds a repeated alarm or a reminder to the alert with the same alias.
    const created = { message: cut(title, 130), alias: alert, priority: priorities[event] };
    return sendForms(context, {
      rich: {
        ...to,
        json: {
          ...created,
          description: [cut(sentence, 1000), ...facts.map(({ label, value }) => `${label}: ${value}`), link].join('\n'),
          details: Object.fromEntries(facts.map(({ label, value }) => [label, cut(value, 1000)])),
          entity: cut(plainLine(monitor.url || monitor.name), 512),
          source: 'uptime',
          tags: [event],
        },
      },
      plain: { ...to, json: { ...created, description: plainText(words) } },
    });
  },
};

const priorities: Record<NoticeEvent, 'P1' | 'P2' | 'P3' | 'P5'> = {
  monitor_down: 'P1',
  monitor_up: 'P5',
  ssl_expiring: 'P3',
  ssl_expired: 'P2',
  ssl_invalid: 'P2',
  domain_expiring: 'P3',
  domain_expired: 'P2',
  test: 'P5',
};
