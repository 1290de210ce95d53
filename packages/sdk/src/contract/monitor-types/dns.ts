import * as z from 'zod';
import { optionalText } from '../fields.ts';
import { asciiHostName } from '../host.ts';
import { type Fault, faultAt } from '../fault-at.ts';
import { defineMonitorType } from './define-monitor-type.ts';
import { hostFaults, hostField } from './host-field.ts';

const expectedNameserver = 'host[:port], such as 9.9.9.9 or [2620:fe::fe]:53';

export const dns = defineMonitorType({
  type: 'dns',
  label: 'a name resolves',
  mode: 'active',
  timeoutSeconds: 10,
  fields: {
    hostname: hostField('Domain to query.'),
    recordType: z.enum(['A', 'AAAA', 'CNAME', 'MX', 'TXT']).default('A').describe('Record type to query.'),
    expectedValue: optionalText(4096, 'Value that one of the returned records must match.'),
    nameserver: z
      .string()
      .regex(/^[^\s/?#@\\\p{Cc}]{1,270}$/u, { error: expectedNameserver })
      .nullable()
      .default(null)
      .describe("Name server to ask, as `host[:port]`. By default, a check asks the checker's own name servers."),
  },
  readOnly: ['domain'],
  target: { hostname: true, recordType: true, expectedValue: true, nameserver: true },
  secrets: {},
  errorCodes: { dns_value_mismatch: 6 },
  rules: { hostname: hostFaults, nameserver: nameserverFaults },
  address: ({ hostname }) => hostname,
  addressInLists: ({ hostname, recordType }) => `${hostname} ${recordType}`,
  host: ({ hostname }) => hostname,
  sample: { hostname: 'localhost' },
  examples: [
    {
      key: 'zone',
      name: 'Name of the API',
      hostname: 'api.example.com',
      recordType: 'CNAME',
      expectedValue: 'lb.example.net',
      nameserver: '192.0.2.53:53',
      interval: 300,
    },
  ],
});

function nameserverFaults(nameserver: string, path: string): Fault[] {
  if (asciiHostName(nameserver) !== null) return [];
  const [, host = '', port = ''] = /^(.*):(\d+)$/.exec(nameserver) ?? [];
  const parsed = asciiHostName(host) === null ? null : URL.parse(`http://x:${port}/`);
  return parsed && parsed.port !== '0' ? [] : [faultAt(path, 'bad_name_server')];
}
