import { describe, expect, it } from 'vitest';
import { type Facts, type KnownAlert, review, type WatchingRule } from './alerts.ts';
import { certificateFaults, domainFaults, type KnownCertificate, nextExpiryReview } from './expiry.ts';
import { dayMs } from './uptime.ts';

describe("a review of a monitor's alerts", () => {
  const rule = (more: Partial<WatchingRule>): WatchingRule => ({
    rule: 1,
    trigger: 'monitor_down',
    consecutiveFailures: 1,
    enabled: true,
    expiryAlerts: true,
    reminderIntervalMs: null,
    channels: [1],
    ...more,
  });
  const facts = (more: Partial<Facts>): Facts => ({
    at: 10,
    status: 'up',
    since: 5,
    failures: 0,
    outage: null,
    seenFailing: false,
    expiry: [],
    maintenance: false,
    windowOpen: false,
    ...more,
  });
  const down = facts({ status: 'down', failures: 1, outage: 'second', seenFailing: true });
  const openAlert = (more: Partial<KnownAlert>): KnownAlert => ({
    id: 'alert',
    rule: 1,
    channel: 1,
    trigger: 'monitor_down',
    subject: 'first',
    open: true,
    ...more,
  });

  it('a review sends no second alarm to a channel with an open alert, even if that alert is from an earlier outage', () => {
    expect(review(down, [rule({})], [openAlert({})])).toEqual({
      fire: [],
      resolve: [],
      carryOver: [{ alert: 'alert', subject: 'second' }],
      move: [],
    });
  });

  it('a review resolves alerts but opens no alert for a result from a maintenance window that has ended', () => {
    const inside = { maintenance: true, windowOpen: false };
    expect(review({ ...down, ...inside }, [rule({})], []).fire).toEqual([]);
    expect(review(facts(inside), [rule({})], [openAlert({})]).resolve).toEqual([
      { alert: 'alert', at: 5, reason: 'recovered' },
    ]);
  });

  const certificate: KnownCertificate = { subject: 'CN=shop', validTo: 100 * dayMs, fingerprint: 'a', error: null };
  const triggers = ['ssl_expiring', 'ssl_expired', 'ssl_invalid', 'domain_expiring', 'domain_expired'] as const;
  const rules = triggers.map((trigger, at) => rule({ rule: at, trigger }));
  /** Makes one review on each of `days`. Returns one line for each alert that opened or resolved, with its day. */
  const watch = (seen: (day: number) => Partial<Facts>, days: readonly number[]) => {
    const alerts: KnownAlert[] = [];
    const events: string[] = [];
    for (const day of days) {
      const today = facts({ at: day * dayMs, ...seen(day) });
      const found = review(today, rules, alerts);
      for (const { alert } of found.resolve) {
        const over = alerts.find(({ id }) => id === alert) as KnownAlert;
        over.open = false;
        events.push(`${day} ${over.trigger} over`);
      }
      for (const fired of found.fire) {
        alerts.push({ ...fired, id: `${alerts.length}`, open: true });
        events.push(`${day} ${fired.trigger}`);
      }
      expect(review(today, rules, alerts)).toEqual({ fire: [], resolve: [], carryOver: [], move: [] });
    }
    return events;
  };
  const seeing = (of: (day: number) => KnownCertificate) => (day: number) => ({
    expiry: certificateFaults(of(day), 14, day * dayMs),
  });

  it('a review reports each certificate once before its expiry, and once after its expiry', () => {
    const renewed = { ...certificate, fingerprint: 'b', validTo: 130 * dayMs };
    const seen = seeing((day) => (day < 105 ? certificate : renewed));
    expect(watch(seen, [1, 85, 86, 87, 99, 100, 101, 105, 115, 116, 117, 131])).toEqual([
      '86 ssl_expiring',
      '100 ssl_expired',
      '105 ssl_expiring over',
      '105 ssl_expired over',
      '116 ssl_expiring',
      '131 ssl_expired',
    ]);
  });

  it('a review gives no expiry warning for a certificate that has already expired', () => {
    expect(
      watch(
        seeing(() => certificate),
        [101, 102],
      ),
    ).toEqual(['101 ssl_expired']);
  });

  it('a review reports an invalid chain or host once for each certificate, even if the fault comes and goes', () => {
    const invalid = { ...certificate, error: { code: 'tls_hostname', message: 'Wrong host.' } as const };
    const seen = seeing((day) => (day % 2 === 0 ? invalid : certificate));
    expect(watch(seen, [1, 2, 3, 4, 5])).toEqual(['2 ssl_invalid', '3 ssl_invalid over']);
  });

  it('a review reports each expiry date of a domain once before that date, and once after that date', () => {
    const seen = (day: number) => ({
      expiry: domainFaults({ name: 'shop.example', expiresAt: (day < 110 ? 100 : 465) * dayMs }, 30, day * dayMs),
    });
    expect(watch(seen, [1, 70, 71, 99, 100, 101, 110, 435, 436])).toEqual([
      '70 domain_expiring',
      '100 domain_expired',
      '110 domain_expiring over',
      '110 domain_expired over',
      '435 domain_expiring',
    ]);
  });

  it('a review opens no alert about a certificate during a maintenance window or a pause', () => {
    const held = (from: number, to: number, what: Partial<Facts>) => (day: number) => ({
      ...seeing(() => certificate)(day),
      ...(day >= from && day < to && what),
    });
    expect(watch(held(80, 90, { maintenance: true, windowOpen: true }), [86, 89, 90])).toEqual(['90 ssl_expiring']);
    expect(watch(held(80, 90, { status: 'paused' }), [86, 89, 90])).toEqual(['90 ssl_expiring']);
  });

  it('a review does not resolve an alert about a certificate while the state of the certificate is unknown', () => {
    const seen = (day: number) => (day === 87 ? { unseen: ['ssl_expiring'] as const } : seeing(() => certificate)(day));
    expect(watch(seen, [86, 87, 88])).toEqual(['86 ssl_expiring']);
  });
});

it('the next review of expiries is due at the next warning threshold or the next expiry, whichever is earlier', () => {
  const expiry = { expiresAt: 100 * dayMs, thresholdDays: 14 };
  expect(nextExpiryReview([expiry], 0)).toBe(86 * dayMs);
  expect(nextExpiryReview([expiry], 86 * dayMs)).toBe(100 * dayMs);
  expect(nextExpiryReview([expiry], 100 * dayMs)).toBeNull();
  expect(nextExpiryReview([expiry, { expiresAt: 95 * dayMs, thresholdDays: 30 }], 86 * dayMs)).toBe(95 * dayMs);
});
