import { checkErrorCodes } from '@uptime/sdk/contract';
import { expect, test } from 'vitest';

/** The codes in the order in which databases store them. Add a new code at the end of both lists. */
const stored = [
  'dns_not_found',
  'dns_no_data',
  'dns_server_failure',
  'dns_refused',
  'dns_timeout',
  'dns_bad_response',
  'dns_value_mismatch',
  'connect_refused',
  'connect_timeout',
  'unreachable',
  'reset',
  'timeout',
  'tls_expired',
  'tls_not_yet_valid',
  'tls_hostname',
  'tls_untrusted',
  'tls_incomplete_chain',
  'tls_purpose',
  'tls_weak',
  'tls_protocol',
  'tls_client_cert',
  'tls_other',
  'http_status',
  'http_body_mismatch',
  'http_protocol',
  'http_redirect',
  'http_decode',
  'http_incomplete',
  'http_too_large',
  'blocked_target',
  'no_ping',
  'internal',
];

test('an error code keeps its place in the list, because stored results refer to it by place', () => {
  expect(checkErrorCodes.slice(0, stored.length)).toEqual(stored);
});
