import { afterEach, describe, expect, test } from 'vitest';
import { allEndpoints, type Endpoint, errorStatus } from './contract/index.ts';
import {
  AbortedError,
  ApiError,
  BadRequestError,
  ConflictError,
  ConnectionError,
  ForbiddenError,
  NotFoundError,
  PlanLimitError,
  RateLimitError,
  ServerError,
  TimeoutError,
  UnauthenticatedError,
  UptimeError,
} from './index.ts';
import { closers, failure, problem, serve } from './testing/served-answers.ts';

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** The class of each code that the contract documents. */
const classes: Record<keyof typeof errorStatus, typeof ApiError> = {
  invalid_request: BadRequestError,
  unauthenticated: UnauthenticatedError,
  plan_limit_exceeded: PlanLimitError,
  forbidden: ForbiddenError,
  not_found: NotFoundError,
  method_not_allowed: ApiError,
  conflict: ConflictError,
  payload_too_large: ApiError,
  unsupported_media_type: ApiError,
  rate_limited: RateLimitError,
  internal: ServerError,
  not_implemented: ServerError,
  delivery_failed: ServerError,
  unavailable: ServerError,
};

test.each(Object.entries(classes))(
  'an answer with the code %s makes the call throw an error of the class for this code',
  async (code, type) => {
    const status = errorStatus[code as keyof typeof errorStatus];
    const { client } = await serve(problem(status, code));
    const error = await failure(client({ retries: 0 }).monitors.list());
    expect(error).toMatchObject({ constructor: type, name: type.name, status, code, message: `It is ${code}.` });
  },
);

test('every error that an endpoint documents has an error class', () => {
  const documented = Object.values<Endpoint>(allEndpoints).flatMap(({ errors }) => errors ?? []);
  expect(documented.filter((code) => !(code in classes))).toEqual([]);
});

describe('an answer with a status that has no class of its own', () => {
  test.each([
    [405, ApiError],
    [418, ApiError],
    [422, ApiError],
    [499, ApiError],
    [500, ServerError],
    [507, ServerError],
    [599, ServerError],
  ])(
    'the status %i makes the call throw ServerError if it is 500 or above, and ApiError otherwise',
    async (status, type) => {
      const { client } = await serve(problem(status, 'odd'));
      expect(await failure(client({ retries: 0 }).monitors.list())).toMatchObject({
        constructor: type,
        status,
        code: 'odd',
      });
    },
  );
});

test('an ApiError can be created from only status, code, title and detail', () => {
  const error = new NotFoundError({ status: 404, code: 'not_found', title: 'Not found', detail: 'No such monitor.' });
  expect(error).toMatchObject({ message: 'No such monitor.', errors: [], requestId: null, retryAfter: null });
});

test('the errors for calls without an answer are UptimeErrors, and the name of each is its class', () => {
  for (const type of [AbortedError, ConnectionError, TimeoutError]) {
    const error = new type('x');
    expect(error).toBeInstanceOf(UptimeError);
    expect(error).toBeInstanceOf(Error);
    expect(error).not.toBeInstanceOf(ApiError);
    expect(error.name).toBe(type.name);
    expect(String(error)).toBe(`${type.name}: x`);
  }
});

test('JSON.stringify keeps the fields of an error, so that logs can contain them', async () => {
  const errors = [{ path: 'name', message: 'is required' }];
  const { client } = await serve(problem(400, 'invalid_request', { errors }));
  const error = await failure(client().projects.create({ name: '' }));
  expect(JSON.parse(JSON.stringify(error))).toMatchObject({ status: 400, code: 'invalid_request', errors });
});
