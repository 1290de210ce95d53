import type { Fields } from '../kinds/kind.ts';
import type { Collection } from './collection.ts';
import type { Row } from './kuma-data.ts';
import { kumaHttp, parsedColumn } from './kuma-http.ts';
import { mapsOf, numberOf, textOf } from './parse-data.ts';

/**
 * Returns the type and the target of a monitor of Uptime Kuma. If no type of check corresponds to it, adds a note and
 * returns null.
 */
export function kumaTarget(row: Row, about: string, { note }: Collection): (Fields & { type: string }) | null {
  const type = typeOf(row, about, note);
  const host = textOf(row['hostname']);
  if (['http', 'keyword', 'json-query', 'real-browser'].includes(type)) return kumaHttp(row, type, about, note);
  if (type === 'port') return { type: 'tcp', host, port: numberOf(row['port']) };
  if (['ping', 'tailscale-ping'].includes(type)) {
    note('changed', about, 'ping: a ping monitor opens a TCP connection to port 80, and sends no ICMP');
    return { type: 'ping', host };
  }
  if (type === 'dns') {
    const [server, ...others] = (textOf(row['dns_resolve_server']) ?? '').split(',').map((one) => one.trim());
    if (others.length > 0)
      note('lost', about, `the other name servers (${others.join(', ')}): a check asks only the first one`);
    const port = numberOf(row['port']);
    if (port !== undefined && port !== 53) note('lost', about, `port ${port} of the name server: port 53 is asked`);
    const expectedValue = expectedRecord(parsedColumn(row['conditions']), about, note);
    return {
      type: 'dns',
      hostname: host,
      recordType: textOf(row['dns_resolve_type']),
      nameserver: server || undefined,
      expectedValue,
    };
  }
  if (type === 'push') {
    note('changed', about, 'push: the ping address is new; `uptime apply` prints it');
    return { type: 'heartbeat' };
  }
  if (Object.hasOwn(greetedPorts, type)) {
    note('changed', about, `${type}: only the connection to its port is checked`);
    const name = host?.replace(/^[a-z]+:\/\//i, '').replace(/\/.*$/, '');
    return { type: 'tcp', host: name, port: numberOf(row['port']) ?? greetedPorts[type] };
  }
  const port = defaultPorts[type];
  const url = URL.parse(textOf(row['database_connection_string']) ?? '');
  if (port !== undefined && url?.hostname) {
    note('changed', about, `${type}: only the connection to its port is checked, without a log-in`);
    return { type: 'tcp', host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port) || port };
  }
  if (type !== 'group') note('lost', about, `the whole monitor: there is no check of type ${type || 'unknown'}`);
  else note('changed', about, 'a group becomes the label `group` of its monitors');
  return null;
}

/**
 * The default ports of databases. In Uptime Kuma, the monitor of a database has a connection string, in which the port
 * may be missing.
 */
const defaultPorts: Record<string, number | undefined> = {
  postgres: 5432,
  mysql: 3306,
  mongodb: 27_017,
  redis: 6379,
};

/** The default ports of servers whose monitors in Uptime Kuma have a host and an optional port. */
const greetedPorts: Record<string, number | undefined> = { smtp: 25, mqtt: 1883 };

/**
 * Returns the type of a monitor. For a monitor that Globalping checks from other places, returns the type of the check
 * that Globalping runs.
 */
function typeOf(row: Row, about: string, note: Collection['note']): string {
  const type = textOf(row['type']) ?? '';
  if (type !== 'globalping') return type;
  note('changed', about, 'Globalping: checks run from your own regions');
  const subtype = textOf(row['subtype']) ?? '';
  return subtype === 'http' && textOf(row['keyword']) ? 'keyword' : subtype;
}

/** Returns the record that a DNS monitor expects. Only a single condition with an exact value can be imported. */
function expectedRecord(conditions: unknown, about: string, note: Collection['note']): string | undefined {
  if (!Array.isArray(conditions) || conditions.length === 0) return undefined;
  const [only] = mapsOf(conditions);
  if (conditions.length === 1 && only?.['variable'] === 'record' && only['operator'] === 'equals')
    return textOf(only['value']);
  note('lost', about, 'the conditions: one exact value can be expected, as `expectedValue`');
  return undefined;
}
