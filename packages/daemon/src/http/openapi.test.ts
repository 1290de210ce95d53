import { allEndpoints } from '@uptime/sdk/contract';
import { expect, test } from 'vitest';
import { openApiDocument } from './openapi.ts';

interface Operation {
  operationId: string;
  parameters: { in: string; name: string }[];
  responses: Record<string, object>;
}

const document = openApiDocument('https://status.example.com', '1.2.3') as {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, unknown> };
};

test('the OpenAPI document contains every operation of the contract with its id, and the other documented routes', () => {
  const ids = Object.values(document.paths).flatMap((methods) => Object.values(methods).map((one) => one.operationId));
  const pages = ['showStatusPage', 'showStatusPageAsJson', 'showStatusPageBadge', 'showStatusPageFeed'];
  const otherOperations = ['pingByHead', 'pingSignalByHead', ...pages];
  expect(ids.toSorted()).toEqual([...Object.keys(allEndpoints), ...otherOperations].toSorted());
});

test('in the OpenAPI document, answers to HEAD pings have no body, and the status page is HTML with problem documents as errors', () => {
  const head = document.paths['/ping/{token}']!['head']!;
  expect(Object.keys(head.responses)).toEqual(['200', '404', '503', 'default']);
  expect(JSON.stringify(head.responses)).not.toContain('"content"');
  const { responses } = document.paths['/status/{slug}']!['get']!;
  expect(responses).toMatchObject({
    200: { content: { 'text/html': { schema: { type: 'string' } } } },
    404: { content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } } },
  });
  expect(responses['304']).not.toHaveProperty('content');
});

test('every reference in the OpenAPI document leads to a schema, and every schema has a reference', () => {
  const refs = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)].map(
    ([, name]) => name,
  );
  const names = Object.keys(document.components.schemas);
  expect(new Set(refs)).toEqual(new Set(names));
});

test('the OpenAPI document describes each parameter of a path', () => {
  for (const [path, methods] of Object.entries(document.paths)) {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    for (const { parameters } of Object.values(methods)) {
      expect(parameters.filter((one) => one.in === 'path').map((one) => one.name)).toEqual(inPath);
    }
  }
});
