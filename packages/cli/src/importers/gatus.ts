import type { Fields } from '../kinds/kind.ts';
import type { Collection } from './collection.ts';
import { readReferences } from './env-reference.ts';
import { conditionFields } from './gatus-conditions.ts';
import { gatusChannel } from './gatus-channels.ts';
import { durationSeconds } from './go-duration.ts';
import type { Importer } from './importer.ts';
import { isMap, mapsOf, numberOf, readMap, textOf, textsOf, type Values, wrongFile } from './parse-data.ts';

/** Reads the configuration of Gatus. */
export const gatus: Importer = {
  async read(source, into) {
    const data = await readMap(source, 'YAML', 'a Gatus configuration with `endpoints:`');
    const endpoints = [...mapsOf(data['endpoints']), ...mapsOf(data['services'])];
    const external = mapsOf(data['external-endpoints']);
    if (endpoints.length + external.length === 0) throw wrongFile(source, 'a Gatus configuration with `endpoints:`');
    const watched = new Map<string, string[]>();
    const alerting = isMap(data['alerting']) ? data['alerting'] : {};
    const alertsOf = (endpoint: Values) => mapsOf(endpoint['alerts']).map((alert) => withDefaults(alert, alerting));
    for (const endpoint of endpoints)
      watch(endpoint, { key: readEndpoint(endpoint, into), alerts: alertsOf(endpoint) }, watched, into);
    for (const endpoint of external)
      watch(endpoint, { key: readExternal(endpoint, into), alerts: alertsOf(endpoint) }, watched, into);
    addRules(watched, alerting, into);
    for (const part of [
      'maintenance',
      'ui',
      'security',
      'storage',
      'remote',
      'connectivity',
      'announcements',
      'suites',
      'tunneling',
    ])
      if (data[part] !== undefined) into.note('lost', null, `\`${part}:\` has no place in a manifest`);
    into.note(
      'better',
      null,
      'each change is shown as a plan before it is made, and checks can run in several regions',
    );
  },
};

const text = (value: unknown): string | undefined => {
  const found = textOf(value);
  return found === undefined ? undefined : readReferences(found);
};

function nameOf(endpoint: Values): string {
  const [group, name] = [text(endpoint['group']), text(endpoint['name']) ?? 'endpoint'];
  return group ? `${group} / ${name}` : name;
}

function readEndpoint(endpoint: Values, into: Collection): string | null {
  const about = nameOf(endpoint);
  const target = targetOf(endpoint, about, into);
  if (!target) return null;
  const client = isMap(endpoint['client']) ? endpoint['client'] : {};
  const conditions = Array.isArray(endpoint['conditions']) ? endpoint['conditions'].map(String) : [];
  for (const option of Object.keys(client).filter((one) => !['insecure', 'timeout'].includes(one)))
    into.note('lost', about, `\`client.${option}\`: there is no such setting here`);
  const group = text(endpoint['group']);
  const labels = { ...textsOf(endpoint['extra-labels']), ...(group && { group }) };
  if (target.type !== 'http' && endpoint['body'] !== undefined)
    into.note('lost', about, 'the body: this check sends nothing');
  return into.add('monitors', about, {
    name: about,
    ...target,
    ...(Object.keys(labels).length > 0 && { labels }),
    interval: seconds(endpoint['interval']) ?? 60,
    timeout: seconds(client['timeout']) ?? 10,
    ...conditionFields(
      conditions.map((one) => readReferences(one)),
      about,
      target.type,
      into,
    ),
    ...(client['insecure'] === true && target.type === 'http' && { verifyTls: false }),
    ...(endpoint['enabled'] === false && { paused: true }),
  });
}

function targetOf(endpoint: Values, about: string, { note }: Collection): (Fields & { type: string }) | null {
  const url = text(endpoint['url']) ?? '';
  const { dns } = endpoint;
  if (isMap(dns)) {
    const type = text(dns['query-type']) ?? 'A';
    return { type: 'dns', hostname: text(dns['query-name'])?.replace(/\.$/, ''), recordType: type, nameserver: url };
  }
  const [, scheme = '', rest = ''] = /^([a-z]+):\/\/(.*)$/i.exec(url) ?? [];
  const [, host = rest, port] = /^\[?([^\]/]*?)\]?(?::(\d+))?(?:\/.*)?$/.exec(rest) ?? [];
  if (['tcp', 'tls', 'starttls'].includes(scheme)) {
    if (scheme !== 'tcp') note('changed', about, `${scheme}: only the connection is checked, not the TLS handshake`);
    return { type: 'tcp', host, port: Number(port) };
  }
  if (scheme === 'icmp') {
    note('changed', about, 'icmp: a ping monitor opens a TCP connection to port 80');
    return { type: 'ping', host };
  }
  if (scheme !== '' && !/^https?$/i.test(scheme)) {
    note('lost', about, `the whole monitor: there is no check for ${scheme}://`);
    return null;
  }
  const body = text(endpoint['body']);
  if (endpoint['graphql'] === true) note('changed', about, 'graphql: the body is wrapped as Gatus does');
  return {
    type: 'http',
    url,
    method: text(endpoint['method'])?.toUpperCase(),
    headers: mapped(textsOf(endpoint['headers'])),
    body: endpoint['graphql'] === true && body ? JSON.stringify({ query: body }) : body,
  };
}

const mapped = (headers: Record<string, string>): Record<string, string> | undefined =>
  Object.keys(headers).length === 0
    ? undefined
    : Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, readReferences(value)]));

const seconds = (value: unknown): number | undefined => {
  const found = durationSeconds(value);
  return found === undefined ? undefined : Math.max(1, Math.round(found));
};

/** An external endpoint gets its results from outside, as a heartbeat does. */
function readExternal(endpoint: Values, into: Collection): string {
  const about = nameOf(endpoint);
  const heartbeat = isMap(endpoint['heartbeat']) ? endpoint['heartbeat'] : {};
  const interval = seconds(heartbeat['interval']);
  if (interval === undefined) into.note('changed', about, 'it had no heartbeat interval: a day is assumed');
  into.note('changed', about, 'its results come to a new ping address, which `uptime apply` prints');
  return into.add('monitors', about, {
    name: about,
    type: 'heartbeat',
    interval: interval ?? 86_400,
    ...(endpoint['enabled'] === false && { paused: true }),
  });
}

/** An alert, completed by its provider's `default-alert`. */
function withDefaults(alert: Values, alerting: Values): Values {
  const provider = alerting[textOf(alert['type']) ?? ''];
  const defaults = isMap(provider) && isMap(provider['default-alert']) ? provider['default-alert'] : {};
  return { ...defaults, ...alert };
}

/** The properties that all endpoints of a rule share. */
type RuleOf = [type: string, failures: number, notifyOnRecovery: boolean, reminderInterval: number | null];

/** Notes which alerts watch a monitor. Endpoints with the same alert share a rule. */
function watch(
  endpoint: Values,
  { key, alerts }: { key: string | null; alerts: Values[] },
  watched: Map<string, string[]>,
  { note }: Collection,
): void {
  if (key === null) return;
  if (endpoint['maintenance-windows'] !== undefined)
    note('lost', nameOf(endpoint), '`maintenance-windows`: add them to `maintenance:` with their dates');
  for (const alert of alerts.filter(({ enabled }) => enabled !== false)) {
    const failures = numberOf(alert['failure-threshold']) ?? 3;
    const reminder = seconds(alert['minimum-reminder-interval']) ?? null;
    const rule: RuleOf = [textOf(alert['type']) ?? '', failures, alert['send-on-resolved'] === true, reminder];
    const name = JSON.stringify(rule);
    watched.set(name, [...(watched.get(name) ?? []), key]);
    if (alert['success-threshold'] !== undefined)
      note('changed', nameOf(endpoint), '`success-threshold`: the first passed round ends an outage');
    if (alert['provider-override'] !== undefined)
      note('lost', nameOf(endpoint), '`provider-override`: add a channel for it');
  }
}

function addRules(watched: ReadonlyMap<string, string[]>, alerting: Values, into: Collection): void {
  const channels = new Map<string, string | null>();
  for (const [rule, monitors] of watched) {
    const [type, consecutiveFailures, notifyOnRecovery, reminderInterval] = JSON.parse(rule) as RuleOf;
    if (!channels.has(type)) channels.set(type, gatusChannel(type, alerting[type], into));
    const channel = channels.get(type);
    if (channel == null) continue;
    const about = `${type} after ${consecutiveFailures}`;
    into.add('alertRules', about, {
      name: about,
      monitors,
      channels: [channel],
      consecutiveFailures,
      notifyOnRecovery,
      ...(reminderInterval !== null && { reminderInterval }),
    });
  }
}
