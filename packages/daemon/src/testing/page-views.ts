import { dayMs, hourMs, uptimePercent } from '../core/uptime.ts';
import { createForms, type PageForm } from '../status-page/forms.ts';
import { overall } from '../status-page/overall.ts';
import type { DayView, IncidentView, MonitorView, PageLinks, PageView, RegionTimes } from '../status-page/view.ts';

/** Example data of status pages. With it, tests write a page in every form (HTML, JSON, Atom, SVG) without a store. */

export const now = Date.UTC(2026, 10, 21, 12, 34, 56);
const today = Math.floor(now / dayMs);

export const links: PageLinks = {
  self: 'https://status.example/status/shop',
  json: 'https://status.example/status/shop.json',
  feed: 'https://status.example/status/shop/feed.atom',
  badge: 'https://status.example/status/shop/badge.svg',
  base: 'https://status.example/status/shop',
};

const formOf = createForms();

/** Returns a page in this form, as text. */
export const written = (view: PageView, form: PageForm = 'html', from = 0): string =>
  [...formOf({ kind: 'page', view }, form, { links, from }).pieces].join('');

/** Returns a day with the given times; all other times are 0. `ago` is the number of days before today. */
export const day = (ago: number, observed: Partial<DayView> = {}): DayView => ({
  day: today - ago,
  up: 0,
  down: 0,
  maintenance: 0,
  ...observed,
});

/**
 * Returns a typical day: nearly always good, sometimes with an outage of 5 or 50 minutes. `salt` makes monitors differ.
 */
const usualDay = (ago: number, salt: number): DayView => {
  const down = (ago * 7 + salt * 3) % 29 === 0 ? 3_000_000 : (ago + salt * 5) % 37 === 0 ? 301_000 : 0;
  return day(ago, { up: dayMs - down, down });
};

/** Returns a monitor that is up and has a history of 90 days, unless `more` says otherwise. */
export function monitorView(more: Partial<MonitorView> = {}, salt = 1): MonitorView {
  const past = more.past ?? Array.from({ length: 89 }, (_, index) => usualDay(89 - index, salt));
  const latest = more.today ?? day(0, { up: now % dayMs });
  const time = [...past, latest].reduce((sum, { up, down }) => ({ up: sum.up + up, down: sum.down + down }), {
    up: 0,
    down: 0,
  });
  return {
    name: `Service ${salt}`,
    state: 'up',
    downSince: more.state === 'down' ? now - 900_000 : null,
    group: null,
    uptime: uptimePercent({ ...time, maintenance: 0 }),
    past,
    today: latest,
    responseTimes: Array.from({ length: 24 }, (_, hour) => (hour === 7 ? null : 80 + ((hour * 37 + salt * 11) % 60))),
    regionTimes: [],
    ...more,
  };
}

/** Returns a monitor about which nothing is known. */
export const unseenMonitor = (more: Partial<MonitorView> = {}): MonitorView =>
  monitorView({
    name: 'New',
    state: 'unknown',
    past: Array.from({ length: 89 }, (_, index) => day(89 - index)),
    today: day(0),
    responseTimes: Array.from({ length: 24 }, () => null),
    ...more,
  });

/** Returns an open incident from an hour ago, unless `more` says otherwise. */
export const incidentView = (more: Partial<IncidentView> = {}): IncidentView => ({
  publicId: '7'.repeat(20),
  title: 'Payments are slow',
  status: 'identified',
  maintenance: false,
  createdAt: now - hourMs,
  startedAt: now - hourMs,
  scheduledEnd: null,
  resolvedAt: null,
  monitors: ['Payments'],
  moreMonitors: 0,
  whole: true,
  updates: [
    { status: 'investigating', message: 'We see timeouts at our provider.\nMore soon.', at: now - hourMs },
    { status: 'identified', message: '', at: now - hourMs / 2 },
  ],
  ...more,
});

const maintenance = (more: Partial<IncidentView> = {}) =>
  incidentView({
    publicId: '8'.repeat(20),
    title: 'Database upgrade',
    maintenance: true,
    createdAt: now - dayMs,
    startedAt: now - hourMs,
    scheduledEnd: now + hourMs,
    monitors: ['Shop'],
    updates: [{ status: 'identified', message: 'The shop may be read-only.', at: now - dayMs }],
    ...more,
  });

const resolved = (more: Partial<IncidentView> = {}) =>
  incidentView({
    publicId: '9'.repeat(20),
    title: 'Search was away',
    status: 'resolved',
    createdAt: now - 2 * dayMs,
    startedAt: now - 2 * dayMs,
    resolvedAt: now - 2 * dayMs + 4_000_000,
    monitors: ['Search'],
    updates: [
      { status: 'investigating', message: 'We are looking.', at: now - 2 * dayMs },
      { status: 'resolved', message: 'Back again.', at: now - 2 * dayMs + 4_000_000 },
    ],
    ...more,
  });

/** Returns a page of two services that are up, unless `more` says otherwise. */
export function pageView(more: Partial<PageView> = {}): PageView {
  const monitors = more.monitors ?? [monitorView({ name: 'Shop' }), monitorView({ name: 'Payments' }, 2)];
  return {
    name: 'Example shop',
    description: null,
    homeUrl: null,
    iconUrl: null,
    accentColor: null,
    grouped: false,
    more: { open: false, current: false, planned: false, past: false },
    madeAt: now,
    updatedAt: now - 30 * dayMs,
    overall: overall(monitors, more.open?.length ?? 0),
    monitors,
    open: [],
    current: [],
    planned: [],
    past: [],
    ...more,
  };
}

const many = (count: number, more: (index: number) => Partial<MonitorView> = () => ({})) =>
  Array.from({ length: count }, (_, index) => monitorView(more(index), index + 1));

const services = ['Checkout', 'Product search', 'Customer login', 'Invoices by e-mail', 'Image delivery'].flatMap(
  (name) =>
    ['Berlin', 'Dublin', 'Oregon', 'Tokyo', 'São Paulo', 'Sydney', 'Mumbai', 'Toronto'].map(
      (place) => `${name}, ${place}`,
    ),
);
const regionTimes = (regions: readonly string[]): RegionTimes[] =>
  regions.map((region, index) => ({
    region,
    hours: Array.from({ length: 24 }, (_, hour) => (hour === 9 ? null : 40 + index * 70 + ((hour * 17) % 30))),
  }));
const downToday = day(0, { up: (now % dayMs) - 900_000, down: 900_000 });
const longName = 'Settlement'.repeat(20);

/** Example pages in many states. */
export const states = {
  'all up': pageView({ past: [resolved()] }),
  'all down': pageView({ monitors: many(3, () => ({ state: 'down', today: downToday })), open: [incidentView()] }),
  'partly down': pageView({
    monitors: [
      monitorView({ name: 'Shop' }),
      monitorView({ name: 'Payments', state: 'down', today: downToday }, 2),
      monitorView({ name: 'Nightly backup', responseTimes: null }, 3),
      monitorView({ name: 'Search', past: monitorView().past.map((one, at) => (at < 40 ? day(89 - at) : one)) }, 4),
    ],
    open: [incidentView()],
    past: [
      resolved(),
      resolved({
        publicId: 'a'.repeat(20),
        startedAt: now - 5 * dayMs,
        resolvedAt: now - 5 * dayMs + 60_000,
        updates: [],
      }),
    ],
  }),
  'maintenance in force': pageView({
    monitors: [
      monitorView({ name: 'Shop', state: 'maintenance', today: day(0, { up: 3_600_000, maintenance: 3_600_000 }) }),
      monitorView({ name: 'Payments' }, 2),
    ],
    current: [maintenance()],
  }),
  'maintenance planned': pageView({
    planned: [maintenance({ publicId: 'b'.repeat(20), startedAt: now + dayMs, scheduledEnd: now + dayMs + hourMs })],
    past: [maintenance({ status: 'resolved', startedAt: now - dayMs, resolvedAt: now - dayMs + hourMs })],
  }),
  'incident while all is up': pageView({ open: [incidentView()] }),
  'one up': pageView({ monitors: [monitorView({ name: 'Shop' })] }),
  'one down': pageView({ monitors: [monitorView({ name: 'Shop', state: 'down', today: downToday })] }),
  'pending and paused': pageView({
    monitors: [
      monitorView({ name: 'Shop' }),
      unseenMonitor({ name: 'Just made' }),
      monitorView({ name: 'Paused', state: 'paused' }, 3),
    ],
  }),
  'nothing observed': pageView({ monitors: [unseenMonitor(), unseenMonitor({ name: 'Newer', responseTimes: null })] }),
  'no monitors': pageView({ monitors: [] }),
  'thirty monitors': pageView({ monitors: many(30, (index) => (index % 9 === 4 ? { state: 'down' } : {})) }),
  'nine in groups': pageView({
    description: 'What our customers use.',
    homeUrl: 'https://shop.example/',
    accentColor: '#ffd400',
    grouped: true,
    monitors: many(9, (index) => ({
      group: index % 2 === 0 ? 'Website' : null,
      ...(index === 5 && { state: 'down', today: downToday }),
    })),
  }),
  'forty in groups': pageView({
    description: 'What our customers use, and what it stands on.',
    homeUrl: 'https://shop.example/',
    accentColor: '#ffd400',
    grouped: true,
    monitors: many(40, (index) => ({
      name: services[index]!,
      group: ['Website', 'Payments', 'Data', null][index % 4] ?? null,
      ...(index % 13 === 5 && { state: 'down', today: downToday }),
      ...(index === 9 && { state: 'maintenance' }),
      ...(index === 22 && { state: 'paused' }),
    })),
    open: [incidentView()],
    more: { open: true, current: false, planned: false, past: false },
  }),
  'long names': pageView({
    name: longName,
    monitors: [monitorView({ name: longName, state: 'down', today: downToday }), monitorView({ name: 'Shop' }, 2)],
    open: [incidentView({ title: longName, monitors: [longName, longName], updates: [] })],
    current: [maintenance({ title: longName, monitors: [longName] })],
  }),
  'right-to-left and emoji': pageView({
    name: 'متجر المثال 🛒',
    monitors: [
      monitorView({ name: 'الدفع (API)', state: 'down', today: downToday }),
      monitorView({ name: '👩‍💻 חנות 123' }, 2),
    ],
    open: [
      incidentView({
        title: 'المدفوعات بطيئة',
        monitors: ['الدفع (API)', '👩‍💻 חנות 123'],
        updates: [{ status: 'investigating', message: 'نحن نحقق في الأمر.', at: now - hourMs }],
      }),
    ],
  }),
  'regions apart': pageView({
    monitors: [
      monitorView({ name: 'Shop', regionTimes: regionTimes(['eu-west', 'us-east']) }),
      monitorView({ name: 'API', regionTimes: regionTimes(['africa', 'asia', 'eu-west', 'oceania', 'us-east']) }, 2),
      monitorView({ name: 'Search', regionTimes: regionTimes(['a', 'b', 'c', 'd', 'x'.repeat(63), 'y', 'z']) }, 3),
    ],
  }),
  markup: pageView({
    name: '</title><b>"bold"</b> & \'so\'',
    monitors: [monitorView({ name: '"><i>x</i>' }), monitorView({ name: '</main>' }, 2)],
    open: [
      incidentView({
        title: '<h1>',
        monitors: ['"><i>x</i>'],
        updates: [{ status: 'identified', message: '</li>', at: now }],
      }),
    ],
  }),
} satisfies Record<string, PageView>;
