import { allEndpoints, errorStatus } from '@uptime/sdk/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { handlers } from '../resources/index.ts';
import { createErrorsWorld, type ErrorsWorld } from '../testing/errors-world.ts';
import { provocations } from '../testing/provoke-errors.ts';
import { documentedEndpoints, errorsOf } from './openapi.ts';

let world: ErrorsWorld;
beforeAll(async () => {
  world = await createErrorsWorld();
});
afterAll(() => world.close());

const implemented = Object.entries(documentedEndpoints).filter(
  ([operation]) =>
    operation in handlers || !(operation in allEndpoints) || documentedEndpoints[operation]!.access === 'ping',
);
const documented = implemented.flatMap(([operation, endpoint]) =>
  errorsOf(endpoint).map((code) => [operation, code] as const),
);

test.each(documented)('%s can return the documented error %s', async (operation, code) => {
  const how = provocations(world)[code];
  if (!how) throw new Error(`No test knows how to provoke ${code}.`);
  const endpoint = documentedEndpoints[operation]!;
  const answer = await how(operation, endpoint);
  const body = endpoint.method === 'HEAD' ? undefined : { code, status: errorStatus[code] };
  expect(answer).toMatchObject({ status: errorStatus[code], body });
});
