import { open } from 'node:fs/promises';
import { maxHeartbeatIntervalSeconds, maxIntervalSeconds, maxRetries } from '@uptime/sdk/contract';
import type { Collection } from './collection.ts';
import type { Importer, ImportSource } from './importer.ts';
import { kumaChannel } from './kuma-channels.ts';
import { type KumaData, readKumaBackup, type Row } from './kuma-data.ts';
import { kumaTarget } from './kuma-target.ts';
import { isMap, numberOf, textOf } from './parse-data.ts';
import type { Places } from './read-map.ts';
import { timeoutWithin } from './timeout-within.ts';

/** Imports Uptime Kuma from its database, or from a JSON backup of version 1. */
export const kuma: Importer = {
  async read(source, into) {
    const data = await readData(source, into.places);
    const keys = new Map<number, string>();
    for (const monitor of data.monitors) {
      const key = addMonitor(monitor, data, into);
      if (key !== null) keys.set(Number(monitor['id']), key);
    }
    addAlerts(data, keys, into);
    for (const page of data.pages) addPage(page, data, keys, into);
    if (data.hasMaintenance)
      into.note(
        'lost',
        null,
        'maintenance: windows repeat in Uptime Kuma; add them to `maintenance:` with their dates',
      );
    if (data.hasIncidents)
      into.note('lost', null, 'incidents: publish those that are still open with `uptime incidents create`');
    if (data.hasHistory)
      into.note(
        'changed',
        null,
        'history: the operator of the server imports it after `uptime apply`, with `uptimed admin import-history kuma.db --project <id>`',
      );
    else into.note('lost', null, 'history: a backup has none; import kuma.db to keep it');
    into.note(
      'better',
      null,
      'each change is shown as a plan before it is made, and checks can run in several regions',
    );
  },
};

const magic = 'SQLite format 3\0';

async function readData(source: ImportSource, places: Places): Promise<KumaData> {
  const file = await open(source.path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(magic.length), 0, magic.length, 0);
    if (buffer.toString('latin1', 0, bytesRead) !== magic) return await readKumaBackup(source, places);
  } finally {
    await file.close();
  }
  const { readKumaDatabase } = await import('./kuma-database.ts');
  return readKumaDatabase(source);
}

function addMonitor(row: Row, data: KumaData, into: Collection): string | null {
  const name = textOf(row['name']) ?? `monitor ${String(row['id'])}`;
  const about = into.begin(name, row);
  if (isOn(row['upside_down'])) {
    into.note('lost', about, 'the whole monitor: it is upside down, and a monitor here is down when its check fails');
    return null;
  }
  const target = kumaTarget(row, about, into);
  if (!target) return null;
  const lost = (field: string, what: string) => {
    if (isOn(row[field])) into.note('lost', about, what);
  };
  lost('proxy_id', 'the proxy: checks connect directly');
  lost('ip_family', 'the IP family: a check uses any address of its target');
  lost('save_response', 'saved responses: results do not store a body');
  lost('retry_only_on_status_code_failure', 'retries only after a wrong status: every failed check is retried');
  const [every, again] = [numberOf(row['interval']), numberOf(row['retry_interval'])];
  if (target.type !== 'heartbeat' && numberOf(row['maxretries']) && again !== undefined && again !== every)
    into.note('lost', about, `retries every ${again} s: the server chooses when it tries again`);
  const maxSeconds = target.type === 'heartbeat' ? maxHeartbeatIntervalSeconds : maxIntervalSeconds;
  if (every !== undefined && every > maxSeconds)
    into.note('changed', about, `the interval of ${every} s becomes ${maxSeconds} s, the maximum`);
  if (target.type === 'heartbeat' && numberOf(row['maxretries']))
    into.note('lost', about, 'retries: set `gracePeriod` to how late a ping may be');
  const resend = numberOf(row['resend_interval']);
  if (resend) into.note('changed', about, `reminders every ${resend} checks: set \`reminderInterval\` of its rule`);
  const retries = numberOf(row['maxretries']) ?? 0;
  if (retries > maxRetries)
    into.note(
      'changed',
      about,
      `${retries} retries become ${maxRetries}, the maximum; to wait longer, set \`consecutiveFailures\` of a rule`,
    );
  const labels = data.monitorTags
    .filter(({ monitor_id }) => monitor_id === row['id'])
    .flatMap(({ tag_id, value }) => {
      const name = textOf(data.tags.find(({ id }) => id === tag_id)?.['name']);
      return name === undefined ? [] : [[name, textOf(value) ?? 'true'] as const];
    });
  const parent = data.monitors.find(({ id }) => id !== null && id === row['parent']);
  const group = textOf(parent?.['name']);
  if (group !== undefined) labels.push(['group', group]);
  if (new Set(labels.map(([label]) => label)).size < labels.length)
    into.note('lost', about, 'a tag that the monitor has twice: a label has only one value');
  const timeout = numberOf(row['timeout']);
  const fields = {
    name,
    ...target,
    description: textOf(row['description']),
    interval: every === undefined ? undefined : Math.min(every, maxSeconds),
    ...(target.type !== 'heartbeat' && { retries: Math.min(maxRetries, Math.max(0, retries)) }),
    ...(timeout && target.type !== 'heartbeat' && { timeout: timeoutWithin(timeout, about, into) }),
    ...(labels.length > 0 && { labels: Object.fromEntries(labels) }),
    ...(row['active'] !== undefined && !isOn(row['active']) && { paused: true }),
  };
  return into.add('monitors', about, fields, name);
}

const isOn = (value: unknown): boolean =>
  value === true ||
  (typeof value === 'number' && value !== 0) ||
  (typeof value === 'string' && value !== '' && value !== '0');

/** Adds a channel for each notification, and a rule for the monitors that use the notification. */
function addAlerts({ notifications, links }: KumaData, keys: ReadonlyMap<number, string>, into: Collection): void {
  for (const notification of notifications) {
    const name = textOf(notification['name']) ?? 'Notification';
    const channel = kumaChannel(name, configOf(notification['config']), into);
    if (isOn(notification['is_default']))
      into.note('changed', name, 'it was the default for new monitors: add them to `monitors` of its rule');
    const monitors = links
      .filter(({ notification_id }) => notification_id === notification['id'])
      .flatMap(({ monitor_id }) => keys.get(Number(monitor_id)) ?? []);
    if (channel === null || monitors.length === 0) continue;
    const isOff = notification['active'] !== undefined && !isOn(notification['active']);
    const rule = { name, monitors: [...new Set(monitors)], channels: [channel], ...(isOff && { enabled: false }) };
    into.add('alertRules', name, rule);
  }
}

function configOf(config: unknown): Row {
  if (typeof config !== 'string') return isMap(config) ? config : {};
  try {
    const parsed = JSON.parse(config) as unknown;
    return isMap(parsed) ? parsed : {};
  } catch {
    // The config cannot be parsed, so the type of the channel is unknown. A note says so.
    return {};
  }
}

/** Uptime Kuma stores this icon for a page that has no icon of its own. */
const defaultIcon = '/icon.svg';

/** Columns of Uptime Kuma's status pages for which a manifest has no field. The values are their names in notes. */
const pageExtras: Record<string, string> = {
  show_tags: 'tags',
  show_certificate_expiry: 'the expiry of certificates',
  analytics_id: 'analytics',
  google_analytics_tag_id: 'analytics',
};

function addPage(
  page: Row,
  { groups, groupMonitors, pageDomains }: KumaData,
  keys: ReadonlyMap<number, string>,
  into: Collection,
): void {
  const about = textOf(page['title']) ?? textOf(page['slug']) ?? 'Status';
  if (page['published'] === 0 || page['published'] === false) {
    into.note('lost', about, 'the page: it is not published, and every page here is public');
    return;
  }
  const domains = pageDomains
    .filter(({ status_page_id }) => status_page_id === page['id'])
    .flatMap(({ domain }) => textOf(domain) ?? []);
  for (const domain of domains)
    into.note('lost', about, `its domain ${domain}: set \`customDomain\` when the name points at this server`);
  const extras = Object.entries(pageExtras).filter(([column]) => isOn(page[column]));
  if (extras.length > 0)
    into.note('lost', about, `${extras.map(([, what]) => what).join(', ')}: pages do not have these`);
  if (textOf(page['custom_css']) ?? textOf(page['footer_text']))
    into.note('lost', about, 'its style and its footer: see `accentColor` and `description`');
  if (['dark', 'light'].includes(textOf(page['theme']) ?? ''))
    into.note('lost', about, `its theme ${textOf(page['theme'])}: a page follows the setting of its reader`);
  const icon = textOf(page['icon']);
  if (icon !== undefined && icon !== defaultIcon)
    into.note('lost', about, 'its icon: set `iconUrl` to the address of a picture');
  const own = groups.filter(({ status_page_id }) => status_page_id === page['id']).map(({ id }) => id);
  const monitors = groupMonitors
    .filter(({ group_id }) => own.includes(group_id))
    .flatMap(({ monitor_id }) => keys.get(Number(monitor_id)) ?? []);
  if (own.length > 1) into.note('changed', about, 'groups of the page: their monitors are listed one after another');
  into.add('statusPages', about, {
    name: about,
    slug: textOf(page['slug']),
    description: textOf(page['description']),
    monitors: [...new Set(monitors)],
  });
}
