import { checkErrorCodes, checkErrorNumbers } from '@uptime/sdk/contract';
import { expect, test } from 'vitest';
import { readResultCode, resultCode } from './result-code.ts';

/** Error codes in the order of the numbers that databases store for them: 0, 1, 2, … */
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

test('an error code keeps its number, because stored results contain it', () => {
  expect(stored.map((code, number) => [code, number])).toEqual(
    Object.entries(checkErrorNumbers)
      .toSorted(([, a], [, b]) => a - b)
      .slice(0, stored.length),
  );
});

test.each(checkErrorCodes)('readResultCode returns what resultCode encoded for %s', (error) => {
  expect(readResultCode(resultCode(error, null))).toEqual({ error, statusCode: null });
  expect(readResultCode(resultCode(error, 503))).toEqual({ error, statusCode: 503 });
});
