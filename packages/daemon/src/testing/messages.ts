import { BlockList } from 'node:net';
import type { ChannelContext, Gateways, Message, Notice } from '../channels/index.ts';
import { systemClock } from '../deps.ts';
import { createLookup } from '../checks/lookup.ts';
import { testContext } from './targets/index.ts';

/**
 * Returns a context for sending messages. It has the real clock. No gateway is configured, and no address is blocked.
 */
export const testChannelContext = ({
  gateways,
  ...more
}: Partial<Omit<ChannelContext, 'gateways'>> & { gateways?: Partial<Gateways> } = {}): ChannelContext => ({
  clock: systemClock,
  blockList: new BlockList(),
  lookup: createLookup(testContext()),
  userAgent: 'uptime/test',
  gateways: {
    smtpUrl: null,
    mailFrom: null,
    twilioUrl: 'http://127.0.0.1:1',
    twilioAccountSid: null,
    twilioAuthToken: null,
    twilioFrom: null,
    telegramUrl: 'http://127.0.0.1:1',
    pagerdutyUrl: 'http://127.0.0.1:1',
    opsgenieUrl: null,
    pushoverUrl: 'http://127.0.0.1:1',
    ...gateways,
  },
  ...more,
});

const began = Date.UTC(2026, 0, 31, 8);

/**
 * Returns a message about a monitor whose target has returned the status 500 since 2026-01-31 08:00 UTC. `event`
 * decides the kind of the message. By default it is an alarm.
 */
export function messageOf(event: Notice['event'] = 'monitor_down', more: Partial<Notice> = {}): Message {
  const kind = event === 'test' ? 'test' : event === 'monitor_up' ? 'recovery' : 'alarm';
  return {
    id: 'dlv_1',
    link: 'https://shop.example/cart?a=1&b=2',
    notice: {
      kind,
      event,
      alert: 'alr_1',
      rule: 'Everything',
      monitor: { id: 'mon_1', name: 'Shop', url: 'https://shop.example/cart?a=1&b=2' },
      at: kind === 'alarm' ? began : began + 312_000,
      since: began,
      error: errors[event] ?? null,
      details: { statusCode: 500, responseTime: 31, region: 'eu' },
      ...more,
    },
  };
}

const errors: Partial<Record<Notice['event'], NonNullable<Notice['error']>>> = {
  monitor_down: { code: 'http_status', message: 'answered 500 Internal Server Error; expected 200-299' },
  ssl_expiring: {
    code: 'ssl_expiring',
    message: 'The certificate (shop.example) expires on 2026-02-14, in 14 days.',
  },
  ssl_expired: { code: 'ssl_expired', message: 'The certificate (shop.example) expired on 2026-01-30.' },
  ssl_invalid: { code: 'ssl_invalid', message: 'the certificate is for shop.test, not for shop.example' },
  domain_expiring: {
    code: 'domain_expiring',
    message: 'The registration of shop.example expires on 2026-02-14, in 14 days.',
  },
  domain_expired: {
    code: 'domain_expired',
    message: 'The registration of shop.example expired on 2026-01-30.',
  },
};

/** The worst names and errors that people and servers write, within the contract's limits. */
export const nastyTexts = [
  'x'.repeat(200),
  '🚨'.repeat(200),
  '👩‍👩‍👧‍👦'.repeat(28),
  'متجر الإنترنت معطل \u202eكامل',
  '<!channel> <!here> <@U123> <users/all> <at>everyone</at>',
  '@everyone @here @room @channel #general',
  '**bold** _it_ ~~gone~~ `code` ```block``` # title > quote - list | table',
  '[click](https://evil.example) <https://evil.example|click>',
  '</b><script>alert("1")</script> &amp; \' "',
  'a\\b \\* \\',
  'one\r\ntwo\r\n\r\nX-Injected: yes\u0000\u2028three',
  '&'.repeat(200),
  '@'.repeat(200),
  '*'.repeat(200),
  '\ud800 lone',
  '\u202e\u2066',
];
