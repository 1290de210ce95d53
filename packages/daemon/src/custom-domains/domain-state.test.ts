import { expect, test } from 'vitest';
import { domainState } from './domain-state.ts';
import type { CertificateState } from './parsed-certificate.ts';

const until = Date.UTC(2026, 0, 1);
const wait = { until, reason: 'This server orders at most 10 certificates for one account in an hour' };
const page = {
  project_id: 'prj_1',
  custom_domain: 'status.example.com',
  domain_status: 'active',
  domain_error: null,
} as const;
const none: CertificateState = { ready: false, expiresAt: null, error: null, wait: null };
const state = (certificate: Partial<CertificateState>) => domainState(page, () => ({ ...none, ...certificate }));

test.each([
  ['a valid certificate', { ready: true, expiresAt: until }, 'active', null],
  [
    'a valid certificate whose renewal fails',
    { ready: true, expiresAt: until, error: 'No.' },
    'active',
    'The certificate could not be renewed: No.',
  ],
  [
    'an expired certificate',
    { expiresAt: until, error: 'No' },
    'error',
    'The certificate expired at 2026-01-01T00:00:00.000Z: No',
  ],
  [
    'an expired certificate while a new one is ordered',
    { expiresAt: until },
    'error',
    'The certificate expired at 2026-01-01T00:00:00.000Z, and a new one is ordered.',
  ],
  ['no certificate yet', {}, 'pending', null],
  [
    'a refused order',
    { error: 'No.' },
    'error',
    'The domain points to this server, but there is no certificate for it yet: No.',
  ],
  [
    'an order that waits after the authority refused an earlier order',
    { error: 'Too many orders.', wait },
    'pending',
    'The domain points to this server, and waits for its certificate: Too many orders. This server orders at most 10 certificates for one account in an hour; the next attempt follows at 2026-01-01T00:00:00.000Z.',
  ],
  [
    'an order that waits',
    { wait },
    'pending',
    'The domain points to this server, and waits for its certificate: This server orders at most 10 certificates for one account in an hour; the next attempt follows at 2026-01-01T00:00:00.000Z.',
  ],
])('domainState returns the right state for a domain with %s', async (_, certificate, status, error) => {
  expect(await state(certificate)).toEqual({
    status,
    error,
    apex: false,
    txt: { name: '_uptime.status.example.com', value: 'uptime-project=prj_1' },
  });
});

test('if the server orders no certificates, or a domain points elsewhere, the state of the domain depends only on its DNS records', async () => {
  expect(await domainState(page, null)).toMatchObject({ status: 'active', error: null });
  const astray = { ...page, domain_status: 'error', domain_error: 'It leads astray.' } as const;
  expect(await domainState(astray, () => ({ ...none, ready: true }))).toMatchObject({
    status: 'error',
    error: 'It leads astray.',
  });
  expect(await domainState({ ...page, custom_domain: null }, null)).toBeNull();
});
