import { describe, expect, test } from 'vitest';
import { allEndpoints, type Endpoint, errorStatus, includesScope, keyScopes, scopeOf } from './index.ts';

const endpoints = Object.entries<Endpoint>(allEndpoints);

describe('the scope of a key', () => {
  test.each([
    ['ping', ['ping']],
    ['read', ['ping', 'read']],
    ['apply', ['ping', 'read', 'apply']],
    ['full', ['ping', 'read', 'apply', 'full']],
  ] as const)('the scope %s includes the scopes %j', (has, included) => {
    expect(keyScopes.filter((needed) => includesScope(has, needed))).toEqual(included);
  });

  test.each([
    ['listMonitors', 'ping'],
    ['getMonitor', 'ping'],
    ['getCurrentKey', 'ping'],
    ['getStats', 'read'],
    ['getUsage', 'read'],
    ['getProject', 'read'],
    ['createMonitor', 'apply'],
    ['testChannel', 'apply'],
    ['deleteIncident', 'apply'],
    ['updateProject', 'full'],
    ['deleteProject', 'full'],
    ['createProjectKey', 'full'],
    ['regenerateApiKey', 'full'],
    // These endpoints refuse every API key, or they need no key.
    ['listProjects', null],
    ['createPlan', null],
    ['changePassword', null],
    ['ping', null],
    ['getHealth', null],
  ] as const)('for the endpoint %s, a key needs the scope %s (null: no scope)', (name, scope) =>
    expect(scopeOf(allEndpoints[name] as Endpoint)).toBe(scope),
  );

  test('a key with the scope ping can only read monitors, and the scope and expiry of the key itself', () => {
    const open = endpoints.filter(([, endpoint]) => scopeOf(endpoint) === 'ping').map(([name]) => name);
    expect(open).toEqual(['getCurrentKey', 'listMonitors', 'getMonitor']);
  });

  test('the scope read allows a key to send only GET requests', () => {
    for (const [name, endpoint] of endpoints)
      if (scopeOf(endpoint) === 'read') expect({ name, method: endpoint.method }).toEqual({ name, method: 'GET' });
  });
});

test('only the endpoints in this test accept an idempotency key; each is a POST that returns 201', () => {
  const creates = endpoints.filter(([, { creates }]) => creates).map(([name]) => name);
  expect(creates).toEqual([
    'createProject',
    'createProjectKey',
    'createMonitor',
    'createIncident',
    'createStatusPage',
    'createChannel',
    'createAlertRule',
    'createPlan',
  ]);
  for (const name of creates as (keyof typeof allEndpoints)[])
    expect(allEndpoints[name]).toMatchObject({ method: 'POST', status: 201 });
});

test.each(endpoints.filter(([, { method }]) => method === 'DELETE'))(
  'the endpoint %s returns 204 without a body',
  (_, endpoint) => {
    expect(endpoint).toMatchObject({ status: 204, response: null });
    expect(endpoint.body).toBeUndefined();
  },
);

test('no two endpoints have the same method and path', () => {
  const places = endpoints.map(([, { method, site, path }]) => `${method} ${site ? '' : '/api'}${path}`);
  const patterns = places.map((place) => place.replaceAll(/:\w+/g, ':'));
  expect(patterns.filter((pattern, at) => patterns.indexOf(pattern) !== at)).toEqual([]);
});

test('each error code has one HTTP status', () => {
  expect(errorStatus).toEqual({
    invalid_request: 400,
    unauthenticated: 401,
    plan_limit_exceeded: 402,
    forbidden: 403,
    not_found: 404,
    method_not_allowed: 405,
    conflict: 409,
    payload_too_large: 413,
    unsupported_media_type: 415,
    rate_limited: 429,
    internal: 500,
    not_implemented: 501,
    delivery_failed: 502,
    unavailable: 503,
  });
});
