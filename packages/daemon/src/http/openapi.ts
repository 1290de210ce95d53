import {
  allEndpoints,
  type Endpoint,
  type ErrorCode,
  errorStatus,
  problem,
  publicPage,
  scopeOf,
} from '@uptime/sdk/contract';
import * as z from 'zod';
import { errorTitles } from '../errors.ts';

type Json = Record<string, unknown>;

/** An endpoint as the OpenAPI document describes it. */
export interface Documented extends Omit<Endpoint, 'method'> {
  method: Endpoint['method'] | 'HEAD';
  /** The media type of a successful answer, if it is not JSON. */
  media?: string;
  /** Whether the endpoint returns 304 if If-None-Match names the current version. */
  revalidates?: true;
}

const { ping, pingSignal } = allEndpoints;

/** Returns the documentation of the address that shows a public status page as HTML, JSON, feed or badge. */
const pageForm = (path: string, media: string, summary: string, response: z.ZodType = z.string()): Documented => ({
  method: 'GET',
  path,
  site: true,
  access: 'public',
  status: 200,
  summary,
  response,
  media,
  revalidates: true,
  errors: ['not_found'],
});

/** Every endpoint of the contract, and the other documented routes. */
export const documentedEndpoints: Record<string, Documented> = {
  ...allEndpoints,
  pingByHead: { ...ping, method: 'HEAD', response: null, summary: 'Like GET, but the answer has no body.' },
  pingSignalByHead: { ...pingSignal, method: 'HEAD', response: null, summary: 'Like GET, but the answer has no body.' },
  // This path comes before the path of the page, because `/status/:slug` also matches it.
  showStatusPageAsJson: pageForm(
    '/status/:slug.json',
    'application/json',
    'Everything the public status page shows.',
    publicPage,
  ),
  showStatusPage: pageForm('/status/:slug', 'text/html', 'The public status page, for people.'),
  showStatusPageFeed: pageForm(
    '/status/:slug/feed.atom',
    'application/atom+xml',
    "The page's incidents, as an Atom feed.",
  ),
  showStatusPageBadge: pageForm('/status/:slug/badge.svg', 'image/svg+xml', "The page's state in a word, as an image."),
};

/**
 * Returns the error codes that an endpoint documents: the codes in its `errors`, and the codes that follow from its
 * access and its input. Any endpoint may also return `internal`.
 */
export function errorsOf(endpoint: Documented): ErrorCode[] {
  const codes = new Set<ErrorCode>(endpoint.errors);
  const changes = endpoint.method !== 'GET' && endpoint.method !== 'HEAD';
  const guarded = endpoint.access !== 'public' && endpoint.access !== 'ping';
  if (guarded) codes.add('unauthenticated').add('invalid_request');
  if (endpoint.access === 'session' || endpoint.access === 'admin') codes.add('forbidden');
  if (changes && endpoint.access !== 'ping') codes.add('forbidden');
  const scope = scopeOf(endpoint);
  if (scope !== null && scope !== 'ping') codes.add('forbidden');
  if (endpoint.access === 'project' || endpoint.access === 'owner') codes.add('not_found');
  if (endpoint.access === 'admin' && endpoint.path.includes(':')) codes.add('not_found');
  if (endpoint.body) codes.add('invalid_request').add('payload_too_large').add('unsupported_media_type');
  if (endpoint.creates) codes.add('conflict');
  if (!endpoint.neverRefused && endpoint.access !== 'ping') codes.add('unavailable');
  return [...codes].toSorted((a, b) => errorStatus[a] - errorStatus[b]);
}

/** Returns the OpenAPI 3.1 document of the API, made from the contract. */
export function openApiDocument(siteUrl: string, version: string): Json {
  const schemas: Json = {};
  const use = (schema: z.ZodType, io: 'input' | 'output') => hoist(schema, io, schemas);
  const paths: Record<string, Json> = {};
  for (const [operationId, endpoint] of Object.entries(documentedEndpoints)) {
    const path = `${endpoint.site ? '' : '/api'}${endpoint.path}`.replace(/:(\w+)/g, '{$1}');
    (paths[path] ??= {})[endpoint.method.toLowerCase()] = operationOf(operationId, endpoint, use);
  }
  use(problem, 'output');
  return {
    openapi: '3.1.0',
    info: {
      title: 'uptime',
      version,
      description: 'Monitors, projects, incidents, status pages, channels, alert rules and billing.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: siteUrl }],
    paths,
    components: {
      schemas,
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key', description: "A project's API key." },
        bearer: { type: 'http', scheme: 'bearer', description: "A project's API key." },
        session: { type: 'apiKey', in: 'cookie', name: 'uptime.session_token', description: 'Set by sign-in.' },
      },
    },
  };
}

function operationOf(
  operationId: string,
  endpoint: Documented,
  use: (schema: z.ZodType, io: 'input' | 'output') => unknown,
): Json {
  const scope = scopeOf(endpoint);
  return {
    operationId,
    summary: endpoint.summary,
    ...(scope !== null && { description: `An API key needs the scope \`${scope}\` or a wider one.` }),
    security: security[endpoint.access],
    parameters: parametersOf(endpoint, use),
    ...(endpoint.body && {
      requestBody: { required: true, content: { 'application/json': { schema: use(endpoint.body, 'input') } } },
    }),
    responses: {
      [endpoint.status]: {
        description: endpoint.response === null ? 'Done; no body.' : 'Success.',
        ...(endpoint.response && {
          content: { [endpoint.media ?? 'application/json']: { schema: use(endpoint.response, 'output') } },
        }),
      },
      ...(endpoint.revalidates && { 304: { description: 'If-None-Match names the current version; no body.' } }),
      ...(endpoint.ownProblem && {
        [endpoint.ownProblem.status]: {
          description: endpoint.ownProblem.description,
          content: { 'application/problem+json': { schema: use(endpoint.ownProblem.body, 'output') } },
        },
      }),
      ...problemAnswers(endpoint),
      default: { description: errorTitles.internal, ...problemContent(endpoint) },
    },
  };
}

const security: Record<Endpoint['access'], Json[]> = {
  public: [],
  ping: [],
  project: [{ apiKey: [] }, { bearer: [] }, { session: [] }],
  owner: [{ apiKey: [] }, { bearer: [] }, { session: [] }],
  session: [{ session: [] }],
  admin: [{ session: [] }],
};

function parametersOf(endpoint: Documented, use: (schema: z.ZodType, io: 'input' | 'output') => unknown): Json[] {
  const inPath = [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  const inQuery = Object.entries(endpoint.query?.shape ?? {}).map(([name, type]) => {
    const { description, ...schema } = use(type as z.ZodType, 'input') as Json;
    return { name, in: 'query', required: false, description, schema };
  });
  const headers: Json[] = [];
  if (endpoint.access === 'project') {
    headers.push(header('x-project-id', 'The project to use when the credential is a session.'));
  }
  if (endpoint.creates) {
    headers.push(header('idempotency-key', 'A repeated key with the same body gets the first answer again, for 24 h.'));
  }
  return [...inPath, ...inQuery, ...headers];
}

const header = (name: string, description: string): Json => ({
  name,
  in: 'header',
  required: false,
  description,
  schema: { type: 'string' },
});

/** Returns the documented body of an error. Answers to HEAD have no body, even for errors. */
const problemContent = ({ method }: Documented): Json =>
  method === 'HEAD'
    ? {}
    : { content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } } };

/** Returns one documented answer for each status. If several codes share a status, its answer names all of them. */
function problemAnswers(endpoint: Documented): Json {
  const byStatus = Map.groupBy(errorsOf(endpoint), (code) => errorStatus[code]);
  return Object.fromEntries(
    [...byStatus].map(([status, of]) => [
      status,
      { description: of.map((code) => `\`${code}\`: ${errorTitles[code]}.`).join(' '), ...problemContent(endpoint) },
    ]),
  );
}

/** Returns a schema as JSON Schema. Named schemas inside it are moved to `schemas`, the components of the document. */
function hoist(schema: z.ZodType, io: 'input' | 'output', schemas: Json): unknown {
  const { $schema: _, $defs, ...rest } = z.toJSONSchema(schema, { io, target: 'draft-2020-12' });
  for (const [name, definition] of Object.entries($defs ?? {})) schemas[name] ??= withComponentRefs(definition);
  return withComponentRefs(rest);
}

const withComponentRefs = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value).replaceAll('"#/$defs/', '"#/components/schemas/')) as unknown;
