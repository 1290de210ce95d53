import type { CheckErrorCode } from '@uptime/sdk/contract';
import { plainLine } from '../core/plain-line.ts';

/**
 * Patterns that find the error code in the sentence that Uptime Kuma stored about a failed check. The first pattern
 * that matches decides.
 */
const codes: readonly (readonly [words: RegExp, code: CheckErrorCode])[] = [
  [/\bENOTFOUND\b|\bNXDOMAIN\b/i, 'dns_not_found'],
  [/\bENODATA\b/i, 'dns_no_data'],
  [/\bEAI_AGAIN\b|\bESERVFAIL\b/i, 'dns_server_failure'],
  [/\bECONNREFUSED\b/i, 'connect_refused'],
  [/\bECONNRESET\b|socket hang up/i, 'reset'],
  [/certificate has expired|CERT_HAS_EXPIRED/i, 'tls_expired'],
  [/altnames|hostname\/IP does not match/i, 'tls_hostname'],
  [/self[- ]signed|unable to (?:verify|get).*certificate/i, 'tls_untrusted'],
  [/\b(?:SSL|TLS|EPROTO)\b/i, 'tls_other'],
  [/status code \d{3}/i, 'http_status'],
  [/keyword|JSON query/i, 'http_body_mismatch'],
  [/redirect/i, 'http_redirect'],
  [/no heartbeat/i, 'no_ping'],
  [/time(?:d)?[ -]?out|\bETIMEDOUT\b/i, 'timeout'],
];

const maxMessageLength = 300;

/**
 * Returns why a check of Uptime Kuma failed, from the sentence that Uptime Kuma stored. If the sentence names no known
 * reason, the code is `unreachable`.
 */
export function failureOf(message: string): { code: CheckErrorCode; message: string } {
  const line = plainLine(message.slice(0, 2000)).slice(0, maxMessageLength).toWellFormed();
  const [, code = 'unreachable'] = codes.find(([words]) => words.test(line)) ?? [];
  return { code, message: line === '' ? 'Uptime Kuma stored no reason.' : line };
}

/**
 * Returns the status code in the sentence about an HTTP check, such as `200 - OK` or `Request failed with status code
 * 503`. Null if the sentence has none.
 */
export function statusCodeIn(message: string): number | null {
  const [, passed, failed] = /^([1-5]\d\d) - |status code ([1-5]\d\d)\b/.exec(message.slice(0, 200)) ?? [];
  const code = passed ?? failed;
  return code === undefined ? null : Number(code);
}
