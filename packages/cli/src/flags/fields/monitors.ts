// Generated from the contract by `npm run generate`. Do not edit.
import type { FieldFlag } from '../field-flags.ts';

export const monitorFlags: readonly FieldFlag[] = [
  {
    field: 'type',
    flag: '--type <type>',
    kind: 'choice',
    about: 'Type of check.',
    choices: ['http', 'dns', 'tcp', 'ping', 'heartbeat'],
  },
  {
    field: 'key',
    flag: '--key <text>',
    kind: 'text',
    about: 'A stable name that you choose, unique for its kind in the project. With it, a rename keeps the history.',
  },
  {
    field: 'managedBy',
    flag: '--managed-by <text>',
    kind: 'text',
    about:
      'Name of the manifest that manages it; null for none. `apply --prune` deletes only what its own manifest manages.',
  },
  { field: 'name', flag: '--name <text>', kind: 'text', about: 'Display name, 1 to 200 characters. (required)' },
  { field: 'description', flag: '--description <text>', kind: 'text', about: 'Your own notes.' },
  { field: 'labels', flag: '--label <name=value>', kind: 'map', about: 'Your own labels, name to value.' },
  { field: 'interval', flag: '--interval <n>', kind: 'number', about: 'Seconds between checks. (default: 60)' },
  {
    field: 'timeout',
    flag: '--timeout <n>',
    kind: 'number',
    about: 'Maximum seconds that a check may take. (default: 10; 30 for http)',
  },
  {
    field: 'retries',
    flag: '--retries <n>',
    kind: 'number',
    about: 'Quick re-checks before a check counts as failed. (default: 0)',
  },
  { field: 'regions', flag: '--regions <list>', kind: 'list', about: 'Regions that run the check; empty for all.' },
  {
    field: 'paused',
    flag: '--paused [boolean]',
    kind: 'boolean',
    about: 'Whether the monitor is paused: no checks, no alerts, not counted in uptime. (default: false)',
  },
  { field: 'url', flag: '--url <text>', kind: 'text', about: 'Full URL to request. (http only; required)' },
  {
    field: 'method',
    flag: '--method <choice>',
    kind: 'choice',
    about: 'HTTP method. (http only; default: "GET")',
    choices: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'],
  },
  {
    field: 'expectedStatus',
    flag: '--expected-status <list>',
    kind: 'status',
    about:
      'Status codes that count as success: a code, a class, a range, a comma list, or an array of these. (http only; default: "200-299")',
  },
  {
    field: 'bodyContains',
    flag: '--body-contains <text>',
    kind: 'text',
    about: 'Text that must occur in the response body. (http only)',
  },
  {
    field: 'headers',
    flag: '--header <name=value>',
    kind: 'map',
    about: 'Request headers, name to value. (http only)',
  },
  {
    field: 'body',
    flag: '--body <text>',
    kind: 'text',
    about: 'Request body, sent with POST, PUT and PATCH. (http only)',
  },
  {
    field: 'verifyTls',
    flag: '--verify-tls [boolean]',
    kind: 'boolean',
    about:
      'Whether an invalid certificate fails the check. Certificate alerts are sent either way. (http only; default: true)',
  },
  {
    field: 'sslExpiryThreshold',
    flag: '--ssl-expiry-threshold <n>',
    kind: 'number',
    about: 'Days before expiry at which the certificate alert fires. (http only; default: 14)',
  },
  {
    field: 'domainExpiryThreshold',
    flag: '--domain-expiry-threshold <n>',
    kind: 'number',
    about: 'Days before expiry at which the domain alert fires. (http only; default: 30)',
  },
  {
    field: 'domainExpiresOn',
    flag: '--domain-expires-on <text>',
    kind: 'text',
    about:
      'Expiry date of the domain, for registries that do not publish it. It overrides what the registry says. (http only)',
  },
  { field: 'hostname', flag: '--hostname <text>', kind: 'text', about: 'Domain to query. (dns only; required)' },
  {
    field: 'recordType',
    flag: '--record-type <choice>',
    kind: 'choice',
    about: 'Record type to query. (dns only; default: "A")',
    choices: ['A', 'AAAA', 'CNAME', 'MX', 'TXT'],
  },
  {
    field: 'expectedValue',
    flag: '--expected-value <text>',
    kind: 'text',
    about: 'Value that one of the returned records must match. (dns only)',
  },
  {
    field: 'nameserver',
    flag: '--nameserver <text>',
    kind: 'text',
    about: "Name server to ask, as `host[:port]`. Default: the checker's own. (dns only)",
  },
  { field: 'host', flag: '--host <text>', kind: 'text', about: 'Host name or IP address. (tcp, ping only; required)' },
  { field: 'port', flag: '--port <n>', kind: 'number', about: 'TCP port. (tcp only; required)' },
  {
    field: 'gracePeriod',
    flag: '--grace-period <n>',
    kind: 'number',
    about: 'Seconds of extra waiting before the monitor is marked down. (heartbeat only; default: 30)',
  },
];

/** The types of monitors that wait for pings. */
export const passiveTypes = ['heartbeat'] as const;
