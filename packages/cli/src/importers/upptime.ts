import type { Collection } from './collection.ts';
import { longestGapSeconds } from './cron.ts';
import { readReferences } from './env-reference.ts';
import type { Importer } from './importer.ts';
import { isMap, mapsOf, numberOf, textOf, type Values } from './parse-data.ts';
import { readMap, wrongFile } from './read-map.ts';
import { withoutRedirects } from './without-redirects.ts';

/** Imports the configuration of Upptime. In it, `$NAME` refers to a secret of the repository. */
export const upptime: Importer = {
  async read(source, into) {
    const data = await readMap(source, 'YAML', 'an Upptime configuration with `sites:`', into.places);
    const sites = mapsOf(data['sites']);
    if (sites.length === 0) throw wrongFile(source, 'an Upptime configuration with `sites:`');
    const schedule = isMap(data['workflowSchedule']) ? textOf(data['workflowSchedule']['uptime']) : undefined;
    const interval = (schedule && longestGapSeconds(schedule)) || 300;
    const keys = sites.map((site) => readSite(site, interval, into)).filter((key) => key !== null);
    const page = data['status-website'];
    if (isMap(page)) addPage(page, keys, into);
    for (const part of Object.keys(data).filter((one) => !knownParts.has(one)))
      into.note('lost', null, `\`${part}:\` has no place in a manifest`);
    into.note(
      'lost',
      null,
      'notifications: Upptime keeps them in secrets of the repository; add `channels:` and `alertRules:`',
    );
    into.note('better', null, `checks run every ${interval} s and on time; the interval can be as short as a second`);
  },
};

/**
 * The known parts of the configuration. `owner` and `repo` only say where Upptime's own repository is, so they get no
 * note.
 */
const knownParts = new Set(['sites', 'status-website', 'owner', 'repo']);

const known = new Set(
  [
    'name url method headers body check port expectedStatusCodes maxResponseTime icon type tags',
    '__dangerous__insecure __dangerous__disable_verify_peer __dangerous__disable_verify_host',
    '__dangerous__body_down_if_text_missing maxRedirects',
  ].flatMap((words) => words.split(' ')),
);

function readSite(site: Values, interval: number, into: Collection): string | null {
  const text = (field: string) => {
    const found = textOf(site[field]);
    return found === undefined ? undefined : readReferences(found, { bare: true });
  };
  const name = text('name') ?? text('url') ?? 'site';
  const about = into.begin(name, site);
  const lost = (what: string) => into.note('lost', about, what);
  into.noteRest(site, known, about);
  const tags = (Array.isArray(site['tags']) ? site['tags'] : []).flatMap((tag) => textOf(tag) ?? []);
  const labels = tags.length > 0 && { labels: Object.fromEntries(tags.map((tag) => [tag, 'true'])) };
  if (site['maxResponseTime'] !== undefined) lost('`maxResponseTime`: a slow answer is not a failure; see `timeout`');
  if (site['type'] === 'globalping') lost('`type: globalping`: checks run from your own regions');
  if (site['icon'] !== undefined) lost('`icon`: status pages show names only');
  const check = text('check');
  if (check === 'ws') {
    lost('the whole monitor: there is no check for WebSocket');
    return null;
  }
  if (check === 'tcp-ping' || check === 'icmp-ping') {
    const port = numberOf(site['port']);
    if (port !== undefined || check === 'tcp-ping')
      return into.add(
        'monitors',
        about,
        { ...labels, name, type: 'tcp', host: text('url'), port: port ?? 80, interval },
        name,
      );
    into.note('changed', about, 'a ping monitor opens a TCP connection to port 80');
    return into.add('monitors', about, { ...labels, name, type: 'ping', host: text('url'), interval }, name);
  }
  const codes = Array.isArray(site['expectedStatusCodes']) ? site['expectedStatusCodes'].map(String).join(',') : '';
  const follows = numberOf(site['maxRedirects']) !== 0;
  // If one of the codes is not a number, all codes are kept, so that the contract reports the fault.
  const kept = codes !== '' && follows && /^[\d,]+$/.test(codes) ? (withoutRedirects(codes) ?? codes) : codes;
  if (!follows && codes === '')
    into.note('changed', about, '`maxRedirects: 0`: a redirect passes without being followed');
  if (check === 'ssl')
    into.note('changed', about, '`check: ssl`: the page is requested, and its certificate is watched');
  const isInsecure = Object.keys(site).some((one) => /insecure|disable_verify/.test(one) && site[one] === true);
  const fields = {
    name,
    type: 'http',
    url: check === 'ssl' ? addressOf(text('url') ?? '', numberOf(site['port'])) : text('url'),
    method: text('method')?.toUpperCase(),
    headers: headersOf(site['headers'], lost),
    body: text('body'),
    expectedStatus: kept || (follows ? '200-299' : '200-399'),
    bodyContains: text('__dangerous__body_down_if_text_missing'),
    interval,
    ...labels,
    ...(isInsecure && { verifyTls: false }),
  };
  return into.add('monitors', about, fields, name);
}

/**
 * Returns the address of a site that Upptime checks only for its certificate. In the file, `https://` may be missing.
 */
const addressOf = (url: string, port: number | undefined): string =>
  /^https?:\/\//i.test(url) ? url : `https://${url}${port === undefined || port === 443 ? '' : `:${port}`}`;

function headersOf(value: unknown, lost: (what: string) => void): Record<string, string> | undefined {
  if (!Array.isArray(value)) return undefined;
  const pairs = value.map(String).flatMap((line): [string, string][] => {
    const at = line.indexOf(':');
    if (at > 0) return [[line.slice(0, at).trim(), readReferences(line.slice(at + 1).trim(), { bare: true })]];
    lost('a header without a colon');
    return [];
  });
  return Object.fromEntries(pairs);
}

function addPage(page: Values, monitors: readonly string[], into: Collection): void {
  const about = textOf(page['name']) ?? 'Status';
  const slug =
    about
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, '') || 'status';
  for (const part of Object.keys(page).filter((one) => !['name', 'cname'].includes(one)))
    into.note('lost', about, `\`status-website.${part}\`: the page shows monitors, incidents and windows only`);
  into.add('statusPages', about, { name: about, slug, customDomain: textOf(page['cname']), monitors });
}
