import { afterEach, expect, test } from 'vitest';
import {
  type ApiError,
  BadRequestError,
  ConflictError,
  ForbiddenError,
  NotFoundError,
  PlanLimitError,
  RateLimitError,
  ServerError,
  UnauthenticatedError,
  type Uptime,
} from './index.ts';
import { closers, failure, problem, serve } from './testing/served-answers.ts';

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

type Call = (uptime: Uptime) => Promise<unknown>;

/** The documented errors of the SDK's methods, each with the class that the call throws. */
const documented: [string, Call, number, string, typeof ApiError][] = [
  [
    'a taken key',
    ({ monitors }) => monitors.create({ type: 'heartbeat', name: 'n', key: 'k' }),
    409,
    'conflict',
    ConflictError,
  ],
  [
    'a full plan',
    ({ monitors }) => monitors.create({ type: 'heartbeat', name: 'n' }),
    402,
    'plan_limit_exceeded',
    PlanLimitError,
  ],
  ['an unknown monitor', ({ monitors }) => monitors.get('mon_x'), 404, 'not_found', NotFoundError],
  ['a check of a heartbeat', ({ monitors }) => monitors.check('mon_1'), 409, 'conflict', ConflictError],
  ['too many checks', ({ monitors }) => monitors.check('mon_1'), 429, 'rate_limited', RateLimitError],
  ['a taken slug', ({ statusPages }) => statusPages.create({ name: 'n', slug: 's' }), 409, 'conflict', ConflictError],
  [
    'a page without a custom domain',
    ({ statusPages }) => statusPages.verifyDomain('pag_1'),
    409,
    'conflict',
    ConflictError,
  ],
  ['an unknown page', ({ statusPages }) => statusPages.html('none'), 404, 'not_found', NotFoundError],
  ['a channel in use', ({ channels }) => channels.delete('chn_1'), 409, 'conflict', ConflictError],
  [
    'a provider that refuses the message',
    ({ channels }) => channels.test('chn_1'),
    502,
    'delivery_failed',
    ServerError,
  ],
  ['a wrong code', ({ channels }) => channels.confirm('chn_1', '000000'), 400, 'invalid_request', BadRequestError],
  ['a delivery under way', ({ alertHistory }) => alertHistory.redeliver('dlv_1'), 409, 'conflict', ConflictError],
  [
    'a wrong password',
    ({ auth }) => auth.signIn({ email: 'a@b.example', password: 'x' }),
    401,
    'unauthenticated',
    UnauthenticatedError,
  ],
  [
    'a taken e-mail address',
    ({ auth }) => auth.signUp({ name: 'n', email: 'a@b.example', password: 'x' }),
    409,
    'conflict',
    ConflictError,
  ],
  [
    'a missing invitation',
    ({ auth }) => auth.signUp({ name: 'n', email: 'a@b.example', password: 'x' }),
    403,
    'forbidden',
    ForbiddenError,
  ],
  ['an unknown session', ({ auth }) => auth.revokeSession('ses_x'), 404, 'not_found', NotFoundError],
  ['a key with too small a scope', ({ projects }) => projects.delete('current'), 403, 'forbidden', ForbiddenError],
  ['a region that a daemon serves', ({ probes }) => probes.add({ region: 'eu' }), 409, 'conflict', ConflictError],
  ['a free plan', ({ billing }) => billing.checkout({ planId: 'pln_1' }), 409, 'conflict', ConflictError],
  ['a plan with subscribers', ({ billing }) => billing.deletePlan('pln_1'), 409, 'conflict', ConflictError],
  ['a wrong signature', ({ billing }) => billing.webhook({}), 400, 'invalid_request', BadRequestError],
  [
    'nested metrics',
    ({ heartbeats }) => heartbeats.ping('t', { metrics: {} }),
    400,
    'invalid_request',
    BadRequestError,
  ],
];

test.each(documented)(
  'a call that fails because of %s throws the documented class of error at once',
  async (_, call, status, code, type) => {
    const errors = [{ path: 'field', message: 'must be otherwise' }];
    // The SDK waits at most 60 s before a retry. With a longer `retry-after`, such as here, it does not retry.
    const { client, seen } = await serve(problem(status, code, { errors }, { 'retry-after': '90' }));
    const error = await failure(call(client({ retries: 5 })));
    expect(error).toMatchObject({ constructor: type, status, code, errors, requestId: 'req_1', retryAfter: 90 });
    expect(seen).toHaveLength(1);
  },
);

test('the error of a plan limit says which field is wrong, and what the plan allows', async () => {
  const message = 'must be at least 60 with the plan Free, not 5.';
  const { client } = await serve(problem(402, 'plan_limit_exceeded', { errors: [{ path: 'interval', message }] }));
  const error = await failure(client().monitors.update('mon_1', { interval: 5 }));
  expect((error as PlanLimitError).errors).toEqual([{ path: 'interval', message }]);
});
