import { createRequire } from 'node:module';
import type { Ajv2020 as Ajv, ValidateFunction } from 'ajv/dist/2020.js';
import { openApiDocument } from '../http/openapi.ts';

type AnswerCheck = (answer: {
  method: string;
  path: string;
  status: number;
  type: string | null;
  body: unknown;
}) => void;

interface Operation {
  operationId: string;
  responses: Record<string, { content?: Record<string, unknown> }>;
}

// Both packages are CommonJS, and export one thing under several names. `require` returns the export that can be
// called.
const require = createRequire(import.meta.url);
const { Ajv2020 } = require('ajv/dist/2020.js') as { Ajv2020: typeof Ajv };
const addFormats = require('ajv-formats') as (ajv: Ajv) => void;

/**
 * Compares an answer with the OpenAPI document. Throws an error that lists every mismatch. The document is made once
 * for all daemons of a test file. A schema is compiled when an answer first needs it.
 */
export const checkAnswer: AnswerCheck = (answer) => (prepared ??= createAnswerCheck())(answer);
let prepared: AnswerCheck | undefined;

function createAnswerCheck(): AnswerCheck {
  const document = openApiDocument('http://localhost', 'test') as { paths: Record<string, Record<string, Operation>> };
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats(ajv);
  ajv.addSchema(document, 'openapi');
  const compiled = new Map<string, ValidateFunction>();
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      pointer: `openapi#/paths/${pointer(path)}/${method}/responses`,
      matches: new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '[^/]+')}$`),
      operation,
    })),
  );

  return ({ method, path, status, type, body }) => {
    const bare = path.split('?')[0]!;
    const operationOf = (method: string) => operations.find((one) => one.method === method && one.matches.test(bare));
    // The server accepts HEAD wherever it accepts GET, even if the document lists only GET. The answer to HEAD has no
    // body.
    const found = operationOf(method) ?? (method === 'HEAD' ? operationOf('GET') : undefined);
    if (!found) {
      // The document does not list this path, so the server must refuse the request.
      if (status !== 404 && status !== 405 && !bare.endsWith('/openapi.json'))
        throw new Error(`${method} ${path} is not in the OpenAPI document, but the server returned ${status}.`);
      return;
    }
    const known = found.operation.responses[String(status)] ? String(status) : 'default';
    const { content } = found.operation.responses[known] ?? {};
    const where = `${found.operation.operationId} ${status}`;
    if (known === 'default' && ![405, 500, 501].includes(status))
      throw new Error(`${where} is not in the OpenAPI document: ${JSON.stringify(body)}`);
    if (method === 'HEAD') return;
    if (!content) {
      if (body !== undefined) throw new Error(`${where} has a body where none is documented.`);
      return;
    }
    const media = Object.keys(content)[0]!;
    if (type?.split(';')[0] !== media)
      throw new Error(`${where} has the type ${type}, but the document says ${media}.`);
    const at = `${found.pointer}/${known}/content/${pointer(media)}/schema`;
    const validate = compiled.get(at) ?? ajv.compile({ $ref: at });
    compiled.set(at, validate);
    if (!validate(body))
      throw new Error(
        `${where} does not match the OpenAPI document: ${ajv.errorsText(validate.errors)} in ${JSON.stringify(body)}`,
      );
  };
}

const pointer = (key: string): string => encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'));
