import { defineMonitorType } from './define-monitor-type.ts';
import { hostFaults, hostField } from './host-field.ts';

export const ping = defineMonitorType({
  type: 'ping',
  label: 'a host answers on TCP port 80',
  mode: 'active',
  timeoutSeconds: 10,
  fields: { host: hostField('Host name or IP address; TCP port 80 is tried.') },
  readOnly: ['domain'],
  target: { host: true },
  secrets: {},
  errorCodes: {},
  rules: { host: hostFaults },
  address: ({ host }) => host,
  host: ({ host }) => host,
  sample: { host: 'localhost' },
  examples: [{ key: 'gateway', name: 'Gateway', host: '192.0.2.1' }],
});
