import * as z from 'zod';
import { date, optionalText, requestHeaders, webAddress, whole } from '../fields.ts';
import { addressFaults, headerFaults } from '../request-rules.ts';
import { defaultDomainExpiryThreshold } from './common-fields.ts';
import { faultAt } from '../fault-at.ts';
import { defineMonitorType } from './define-monitor-type.ts';
import { expectedStatus, statusFaults } from './expected-status.ts';

export const http = defineMonitorType({
  type: 'http',
  label: 'a web address answers as expected',
  mode: 'active',
  timeoutSeconds: 30,
  fields: {
    url: webAddress.describe('Full URL to request.'),
    method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD']).default('GET').describe('HTTP method.'),
    expectedStatus,
    bodyContains: optionalText(10_000, 'Text that must occur in the response body.'),
    headers: requestHeaders.default({}).describe('Request headers, name to value.'),
    body: optionalText(100_000, 'Request body, sent with POST, PUT and PATCH.'),
    verifyTls: z
      .boolean()
      .default(true)
      .describe('Whether an invalid certificate fails the check. Certificate alerts are sent either way.'),
    sslExpiryThreshold: whole(1, 365).default(14).describe('Days before expiry at which the certificate alert fires.'),
    domainExpiryThreshold: whole(1, 365)
      .default(defaultDomainExpiryThreshold)
      .describe('Days before expiry at which the domain alert fires.'),
    domainExpiresOn: date
      .nullable()
      .default(null)
      .describe(
        'Expiry date of the domain, for registries that do not publish it. It overrides what the registry says.',
      ),
  },
  readOnly: ['secretsError', 'certificate', 'domain'],
  target: {
    url: true,
    method: true,
    expectedStatus: true,
    bodyContains: true,
    headers: true,
    body: true,
    verifyTls: true,
    sslExpiryThreshold: false,
    domainExpiryThreshold: false,
    domainExpiresOn: false,
  },
  secrets: { url: 'credentials', headers: 'values', body: 'whole' },
  errorCodes: {
    http_status: 22,
    http_body_mismatch: 23,
    http_protocol: 24,
    http_redirect: 25,
    http_decode: 26,
    http_incomplete: 27,
    http_too_large: 28,
  },
  rules: {
    url: (url, path) => addressFaults(path, url),
    headers: (headers, path) => headerFaults(path, headers),
    expectedStatus: statusFaults,
  },
  rulesTogether: ({ method, bodyContains }) =>
    method === 'HEAD' && typeof bodyContains === 'string' ? [faultAt('bodyContains', 'no_response_body')] : [],
  address: ({ url }) => url,
  host: ({ url }) => URL.parse(url)?.hostname ?? null,
  certificate: {
    isExpected: ({ url }) => /^https:/i.test(url),
    thresholdDays: ({ sslExpiryThreshold }) => sslExpiryThreshold,
  },
  domain: {
    thresholdDays: ({ domainExpiryThreshold }) => domainExpiryThreshold,
    expiresOn: ({ domainExpiresOn }) => domainExpiresOn ?? null,
  },
  sample: { url: 'http://localhost/' },
  examples: [
    {
      key: 'api',
      name: 'API',
      description: 'The public interface, called as a client calls it.',
      url: 'https://api.example.com/v1/status?verbose=1',
      method: 'GET',
      expectedStatus: '200-299,304',
      bodyContains: '"status":"ok"',
      headers: { accept: 'application/json', authorization: 'Bearer ${API_TOKEN:-a-token}' },
      interval: 30,
      timeout: 15,
      retries: 1,
      verifyTls: true,
      sslExpiryThreshold: 14,
      domainExpiryThreshold: 30,
      domainExpiresOn: '2030-01-31',
      labels: { service: 'api', tier: '1' },
    },
    {
      key: 'search',
      name: 'Search',
      url: 'https://api.example.com/v1/search',
      method: 'POST',
      body: '{"query": "anything"}',
      headers: { 'content-type': 'application/json' },
    },
  ],
});
