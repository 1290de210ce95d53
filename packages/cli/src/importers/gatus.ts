import type { Fields } from '../kinds/kind.ts';
import type { Collection } from './collection.ts';
import { readReferences } from './env-reference.ts';
import { conditionFields } from './gatus-conditions.ts';
import { gatusChannel } from './gatus-channels.ts';
import { durationSeconds } from './go-duration.ts';
import { hostAndPort } from './host-and-port.ts';
import type { Importer } from './importer.ts';
import { isMap, mapsOf, numberOf, textOf, textsOf, type Values } from './parse-data.ts';
import { readMap, wrongFile } from './read-map.ts';
import { timeoutWithin } from './timeout-within.ts';

/** Imports the configuration of Gatus. */
export const gatus: Importer = {
  folders: true,
  async read(source, into) {
    const data = await readMap(source, 'YAML', 'a Gatus configuration with `endpoints:`', into.places);
    const endpoints = [...mapsOf(data['endpoints']), ...mapsOf(data['services'])];
    const external = mapsOf(data['external-endpoints']);
    if (endpoints.length + external.length === 0) throw wrongFile(source, 'a Gatus configuration with `endpoints:`');
    const watched = new Map<string, string[]>();
    const alerting = isMap(data['alerting']) ? data['alerting'] : {};
    const alertsOf = (endpoint: Values) => mapsOf(endpoint['alerts']).map((alert) => withDefaults(alert, alerting));
    for (const endpoint of endpoints)
      watch(endpoint, { read: readEndpoint(endpoint, into), alerts: alertsOf(endpoint) }, watched, into);
    for (const endpoint of external)
      watch(endpoint, { read: readExternal(endpoint, into), alerts: alertsOf(endpoint) }, watched, into);
    addRules(watched, alerting, into);
    for (const part of Object.keys(data).filter((one) => !knownParts.has(one) && !one.startsWith('x-')))
      into.note('lost', null, `\`${part}:\` has no place in a manifest`);
    into.note(
      'better',
      null,
      'each change is shown as a plan before it is made, and checks can run in several regions',
    );
  },
};

const knownParts = new Set(['endpoints', 'services', 'external-endpoints', 'alerting']);

const text = (value: unknown): string | undefined => {
  const found = textOf(value);
  return found === undefined ? undefined : readReferences(found);
};

function nameOf(endpoint: Values): string {
  const [group, name] = [text(endpoint['group']), text(endpoint['name']) ?? 'endpoint'];
  return group ? `${group} / ${name}` : name;
}

/** The key of a monitor, and its name in notes. */
interface Read {
  key: string;
  about: string;
}

const knownOfExternal = new Set(
  'name group token heartbeat alerts enabled extra-labels maintenance-windows'.split(' '),
);
const knownOfEndpoint = new Set(
  [
    'name group url method headers body graphql dns interval conditions alerts enabled client extra-labels',
    'maintenance-windows',
  ].flatMap((words) => words.split(' ')),
);
const knownOfAlert = new Set(
  'type enabled failure-threshold success-threshold send-on-resolved minimum-reminder-interval provider-override'.split(
    ' ',
  ),
);

function readEndpoint(endpoint: Values, into: Collection): Read | null {
  const about = into.begin(nameOf(endpoint), endpoint);
  const target = targetOf(endpoint, about, into);
  if (!target) return null;
  into.noteRest(endpoint, knownOfEndpoint, about);
  const client = isMap(endpoint['client']) ? endpoint['client'] : {};
  const conditions = Array.isArray(endpoint['conditions']) ? endpoint['conditions'].map(String) : [];
  if (conditions.some((one) => one.trim() === '[CONNECTED] == false')) {
    into.note(
      'lost',
      about,
      'the whole monitor: it expects no connection, and a monitor here is down without a connection',
    );
    return null;
  }
  for (const option of Object.keys(client).filter((one) => !['insecure', 'timeout'].includes(one)))
    into.note('lost', about, `\`client.${option}\`: there is no such setting here`);
  const group = text(endpoint['group']);
  const labels = { ...textsOf(endpoint['extra-labels']), ...(group && { group }) };
  if (target.type !== 'http' && endpoint['body'] !== undefined)
    into.note('lost', about, 'the body: this check sends nothing');
  const timeout = timeoutWithin(durationSeconds(client['timeout']) ?? 10, about, into);
  const expected = conditionFields(
    conditions.map((one) => readReferences(one)),
    about,
    target.type,
    into,
  );
  // Gatus stops waiting at the timeout of its client. So a condition about a longer time has no effect there.
  if (Number(expected['timeout']) > timeout) expected['timeout'] = timeout;
  const fields = {
    name: nameOf(endpoint),
    ...target,
    ...(Object.keys(labels).length > 0 && { labels }),
    interval: seconds(endpoint['interval']) ?? 60,
    timeout,
    ...expected,
    ...(client['insecure'] === true && target.type === 'http' && { verifyTls: false }),
    ...(endpoint['enabled'] === false && { paused: true }),
  };
  return { key: into.add('monitors', about, fields, fields.name), about };
}

function targetOf(endpoint: Values, about: string, { note }: Collection): (Fields & { type: string }) | null {
  const url = text(endpoint['url']) ?? '';
  const { dns } = endpoint;
  if (isMap(dns)) {
    const type = text(dns['query-type']) ?? 'A';
    return { type: 'dns', hostname: text(dns['query-name'])?.replace(/\.$/, ''), recordType: type, nameserver: url };
  }
  const [, scheme = ''] = /^([a-z]+):\/\//i.exec(url) ?? [];
  const { host, port } = hostAndPort(url);
  if (['tcp', 'tls', 'starttls'].includes(scheme)) {
    if (scheme !== 'tcp') note('changed', about, `${scheme}: only the connection is checked, not the TLS handshake`);
    return { type: 'tcp', host, port };
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
  if (endpoint['graphql'] === true)
    note(
      'changed',
      about,
      'graphql: Gatus sends the body as JSON, `{"query": …}`; set the variable for the body to this JSON',
    );
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

/** Reads an external endpoint as a heartbeat, because other programs send its results to Gatus. */
function readExternal(endpoint: Values, into: Collection): Read {
  const about = into.begin(nameOf(endpoint), endpoint);
  into.noteRest(endpoint, knownOfExternal, about);
  const heartbeat = isMap(endpoint['heartbeat']) ? endpoint['heartbeat'] : {};
  const interval = seconds(heartbeat['interval']);
  if (interval === undefined) into.note('changed', about, 'it had no heartbeat interval: a day is assumed');
  into.note('changed', about, 'its results must be sent to a new ping address, which `uptime apply` prints');
  const [name, group] = [nameOf(endpoint), text(endpoint['group'])];
  const labels = { ...textsOf(endpoint['extra-labels']), ...(group && { group }) };
  const fields = {
    name,
    type: 'heartbeat',
    ...(Object.keys(labels).length > 0 && { labels }),
    interval: interval ?? 86_400,
    ...(endpoint['enabled'] === false && { paused: true }),
  };
  return { key: into.add('monitors', about, fields, name), about };
}

/** Returns an alert, with missing settings taken from the `default-alert` of its provider. */
function withDefaults(alert: Values, alerting: Values): Values {
  const provider = alerting[textOf(alert['type']) ?? ''];
  const defaults = isMap(provider) && isMap(provider['default-alert']) ? provider['default-alert'] : {};
  return { ...defaults, ...alert };
}

/** The properties that all endpoints of a rule have in common. */
type RuleOf = [type: string, failures: number, notifyOnRecovery: boolean, reminderInterval: number | null];

/** Adds the alerts of an endpoint to the rules. Endpoints with equal alerts share a rule. */
function watch(
  endpoint: Values,
  { read, alerts }: { read: Read | null; alerts: Values[] },
  watched: Map<string, string[]>,
  { note, noteRest }: Collection,
): void {
  if (read === null) return;
  const { key, about } = read;
  if (endpoint['maintenance-windows'] !== undefined)
    note('lost', about, '`maintenance-windows`: add them to `maintenance:` with their dates');
  for (const alert of alerts) {
    if (alert['enabled'] === false) {
      note('lost', about, `\`alerts.${textOf(alert['type']) ?? ''}\`: it is not enabled`);
      continue;
    }
    noteRest(alert, knownOfAlert, about, `alerts.${textOf(alert['type']) ?? ''}.`);
    const failures = numberOf(alert['failure-threshold']) ?? 3;
    const reminder = seconds(alert['minimum-reminder-interval']) ?? null;
    const rule: RuleOf = [textOf(alert['type']) ?? '', failures, alert['send-on-resolved'] === true, reminder];
    const name = JSON.stringify(rule);
    watched.set(name, [...(watched.get(name) ?? []), key]);
    if (alert['success-threshold'] !== undefined)
      note('changed', about, '`success-threshold`: the first passed round ends an outage');
    if (alert['provider-override'] !== undefined) note('lost', about, '`provider-override`: add a channel for it');
  }
}

function addRules(watched: ReadonlyMap<string, string[]>, alerting: Values, into: Collection): void {
  const channels = new Map<string, string | null>();
  const used = new Set([...watched.keys()].map((rule) => (JSON.parse(rule) as RuleOf)[0]));
  for (const type of Object.keys(alerting).filter((one) => !used.has(one)))
    into.note('lost', `alerting.${type}`, 'no endpoint uses it');
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
