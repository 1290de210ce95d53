import { describe, expect, test } from 'vitest';
import { messageOf, nastyTexts } from '../testing/messages.ts';
import type { Notice } from './notice.ts';
import { duration, wordsFor } from './words.ts';

const say = (...of: Parameters<typeof messageOf>) => {
  const { title, sentence, facts, tone, emoji } = wordsFor(messageOf(...of));
  return [`${emoji} ${title} (${tone})`, sentence, ...facts.map(({ label, value }) => `${label}: ${value}`)];
};

describe('the words of a message', () => {
  test('a message about an outage has its cause, time and address', () => {
    expect(say('monitor_down')).toEqual([
      '🔴 Down: Shop (bad)',
      'Answered 500 Internal Server Error; expected 200-299.',
      'Address: https://shop.example/cart?a=1&b=2',
      'Down since: 2026-01-31 08:00:00 UTC',
      'HTTP status: 500',
      'Checked from: eu',
      'Rule: Everything',
    ]);
  });

  test('a message about an outage names the regions that failed, that passed, and that have no result', () => {
    const regions = { failed: ['eu', 'us', 'asia'], passed: ['africa'], unknown: ['oceania'] };
    expect(say('monitor_down', { regions }).slice(1)).toEqual([
      'Answered 500 Internal Server Error; expected 200-299. Failed in eu, us and asia. Passed in africa. No result from oceania.',
      'Address: https://shop.example/cart?a=1&b=2',
      'Down since: 2026-01-31 08:00:00 UTC',
      'HTTP status: 500',
      'Rule: Everything',
    ]);
    const passed = ['a', 'b', 'c', 'd', 'e', 'f'];
    expect(say('monitor_up', { regions: { failed: [], passed, unknown: [] } })[1]).toBe(
      'It was down for 5 min 12 s. Passed in a, b, c, d and 2 more.',
    );
  });

  test('a reminder says how long the outage has lasted', () => {
    expect(say('monitor_down', { kind: 'reminder', at: Date.UTC(2026, 0, 31, 11, 30) }).slice(0, 2)).toEqual([
      '🔴 Still down: Shop (bad)',
      'It has been down for 3 h 30 min. Answered 500 Internal Server Error; expected 200-299.',
    ]);
  });

  test('a message about a recovery says how long the outage lasted', () => {
    expect(say('monitor_up')).toEqual([
      '🟢 Up again: Shop (good)',
      'It was down for 5 min 12 s.',
      'Address: https://shop.example/cart?a=1&b=2',
      'Down since: 2026-01-31 08:00:00 UTC',
      'Up since: 2026-01-31 08:05:12 UTC',
      'Rule: Everything',
    ]);
  });

  test('a message about a recovery that only a paging service gets has the same words as any other recovery', () => {
    expect(say('monitor_up', { kind: 'close' })).toEqual(say('monitor_up'));
  });

  test('a message about a silent heartbeat has neither address nor status', () => {
    expect(
      say('monitor_down', {
        monitor: { id: 'mon_2', name: 'nightly-backup', url: '' },
        error: { code: 'no_ping', message: 'No ping for 1 h 5 min.' },
        details: { statusCode: 0, responseTime: 0, region: '' },
      }),
    ).toEqual([
      '🔴 Down: nightly-backup (bad)',
      'No ping for 1 h 5 min.',
      'Down since: 2026-01-31 08:00:00 UTC',
      'Rule: Everything',
    ]);
  });

  test.each([
    ['ssl_expiring', '🟠 Certificate expires soon: Shop (warning)', '🟠 Certificate not yet renewed: Shop (warning)'],
    ['ssl_expired', '🔴 Certificate expired: Shop (bad)', '🔴 Certificate still expired: Shop (bad)'],
    ['ssl_invalid', '🔴 Certificate not valid: Shop (bad)', '🔴 Certificate still not valid: Shop (bad)'],
    ['domain_expiring', '🟠 Domain expires soon: Shop (warning)', '🟠 Domain not yet renewed: Shop (warning)'],
    ['domain_expired', '🔴 Domain expired: Shop (bad)', '🔴 Domain still expired: Shop (bad)'],
  ] as const)('a message about %s describes the certificate or domain, not the check', (event, alarm, reminder) => {
    const words = say(event);
    expect(words[0]).toBe(alarm);
    expect(words[1]).toMatch(/^The .*shop\.example.*\.$/);
    expect(words.slice(2)).toEqual([
      'Address: https://shop.example/cart?a=1&b=2',
      'Noticed: 2026-01-31 08:00:00 UTC',
      'Rule: Everything',
    ]);
    expect(say(event, { kind: 'reminder' })[0]).toBe(reminder);
  });

  test('a message about an alarm that was closed without a recovery has a neutral tone', () => {
    expect(say('monitor_down', { kind: 'close', error: null }).slice(0, 2)).toEqual([
      '🔔 Closed (down): Shop (neutral)',
      'The monitor was paused or deleted, or the rule stopped watching it.',
    ]);
    expect(say('ssl_expired', { kind: 'close', error: null }).slice(0, 2)).toEqual([
      '🔔 Closed (certificate expired): Shop (neutral)',
      'It was fixed, the monitor was paused or deleted, or the rule stopped watching it.',
    ]);
  });

  test('a message about an outage that ended before its alarm could be sent reports the outage and how it ended', () => {
    const ended = (reason: NonNullable<Notice['ended']>['reason'], event: Notice['event'] = 'monitor_down') =>
      say(event, { ended: { at: Date.UTC(2026, 0, 31, 8, 4), reason } });
    expect(ended('recovered')).toEqual([
      '🟢 Was down, is up again: Shop (good)',
      'It was down for 4 min, and has been up since 2026-01-31 08:04:00 UTC. Answered 500 Internal Server Error; expected 200-299.',
      'Address: https://shop.example/cart?a=1&b=2',
      'Down since: 2026-01-31 08:00:00 UTC',
      'Up since: 2026-01-31 08:04:00 UTC',
      'HTTP status: 500',
      'Checked from: eu',
      'Rule: Everything',
    ]);
    expect(ended('paused').slice(0, 2)).toEqual([
      '🔔 Was down: Shop (neutral)',
      'It was down for 4 min, until the monitor was paused. Answered 500 Internal Server Error; expected 200-299.',
    ]);
    expect(ended('deleted')[1]).toContain('until the monitor was deleted.');
    expect(ended('unwatched')[1]).toContain('until the rule stopped watching it.');
    expect(ended('recovered', 'ssl_expired').slice(0, 2)).toEqual([
      '🟢 Over (certificate expired): Shop (good)',
      'It lasted for 4 min, and has been fixed since 2026-01-31 08:04:00 UTC. The certificate (shop.example) expired on 2026-01-30.',
    ]);
  });

  test('a test message says that it is a test', () => {
    expect(say('test')).toEqual(['🔔 Test: Shop (neutral)', 'This is a test: alerts will arrive here.']);
  });
});

test('no text of a message has a line break, reverses the reading direction, or is empty', () => {
  for (const text of nastyTexts) {
    const notice: Partial<Notice> = {
      rule: text,
      monitor: { id: 'mon_1', name: text, url: text },
      error: { code: 'internal', message: text },
    };
    const { title, sentence, facts } = wordsFor(messageOf('monitor_down', notice));
    for (const text of [title, sentence, ...facts.map(({ value }) => value)]) {
      expect(text).toMatch(/^[^\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]+$/u);
      expect(text.trim()).not.toBe('');
    }
  }
});

test('a link contains no spaces, quotes or angle brackets', () => {
  const { link } = wordsFor({ ...messageOf(), link: 'https://shop.example/a b"<c>?q="é"' });
  expect(link).toBe('https://shop.example/a%20b%22%3Cc%3E?q=%22%C3%A9%22');
});

test.each([
  [-5, '0 s'],
  [999, '1 s'],
  [60_000, '1 min'],
  [312_000, '5 min 12 s'],
  [3_600_000, '1 h'],
  [3_661_000, '1 h 1 min'],
  [86_400_000 * 3 + 3_600_000 * 4 + 5000, '3 d 4 h'],
  [86_400_000 + 59_000, '1 d'],
])('duration formats %i ms as %s', (ms, words) => {
  expect(duration(ms)).toBe(words);
});
