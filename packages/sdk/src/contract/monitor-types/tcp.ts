import { whole } from '../fields.ts';
import { defineMonitorType } from './define-monitor-type.ts';
import { hostAndPort, hostFaults, hostField } from './host-field.ts';

export const tcp = defineMonitorType({
  type: 'tcp',
  label: 'a port accepts connections',
  mode: 'active',
  timeoutSeconds: 10,
  fields: {
    host: hostField('Host name or IP address.'),
    port: whole(1, 65_535).describe('TCP port.'),
  },
  readOnly: ['domain'],
  target: { host: true, port: true },
  secrets: {},
  errorCodes: {},
  rules: { host: hostFaults },
  address: ({ host, port }) => hostAndPort(host, port),
  host: ({ host }) => host,
  sample: { host: 'localhost', port: 1 },
  examples: [
    { key: 'database', name: 'Database port', host: 'db.internal.example.com', port: 5432, interval: 15, timeout: 5 },
  ],
});
