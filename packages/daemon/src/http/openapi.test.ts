import { allEndpoints } from '@uptime/sdk/contract';
import { expect, test } from 'vitest';
import { openApiDocument } from './openapi.ts';

const document = openApiDocument('https://status.example.com', '1.2.3') as {
  openapi: string;
  paths: Record<string, Record<string, { operationId: string; parameters: { in: string; name: string }[] }>>;
  components: { schemas: Record<string, unknown> };
};

test('every operation of the contract is in the document, under its own id', () => {
  const ids = Object.values(document.paths).flatMap((methods) => Object.values(methods).map((one) => one.operationId));
  expect(new Set(ids)).toEqual(new Set(Object.keys(allEndpoints)));
  expect(ids).toHaveLength(Object.keys(allEndpoints).length);
});

test('every reference leads to a schema that is there, and every schema is referred to', () => {
  const refs = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)].map(
    ([, name]) => name,
  );
  const names = Object.keys(document.components.schemas);
  expect(new Set(refs)).toEqual(new Set(names));
});

test('each parameter in a path is described', () => {
  for (const [path, methods] of Object.entries(document.paths)) {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    for (const { parameters } of Object.values(methods)) {
      expect(parameters.filter((one) => one.in === 'path').map((one) => one.name)).toEqual(inPath);
    }
  }
});
