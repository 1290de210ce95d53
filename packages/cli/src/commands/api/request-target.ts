import { allEndpoints, type Endpoint, nearest } from '@uptime/sdk/contract';
import { CliError } from '../../exit.ts';

/**
 * The address of a request, and the endpoint of the contract at that address; null if the contract has no such
 * endpoint.
 */
export interface Target {
  url: URL;
  endpoint: Endpoint | null;
}

const endpoints: readonly Endpoint[] = Object.values(allEndpoints);

/**
 * Returns the address of a path of the API. Throws a CliError for a full URL, for another host, and for `.` or `..` in
 * the path. The credential must reach only the API of the chosen server.
 */
export function requestTarget(method: string, path: string, siteUrl: string): Target {
  const [route, query] = splitQuery(path);
  refuseStray(route, path);
  const inner = route.startsWith('/api/') ? route.slice(4) : route;
  const endpoint = endpoints.find((one) => one.method === method && matches(one.path, inner)) ?? null;
  const isOfSite = (endpoint ?? endpoints.find((one) => matches(one.path, inner)))?.site === true;
  const base = isOfSite ? siteUrl : `${siteUrl}/api`;
  const url = new URL(base + inner + query);
  // `refuseStray` has already checked the text of the path. If the URL parser still finds another host or folder in the
  // path, this check refuses it.
  if (url.origin !== new URL(siteUrl).origin || !url.href.startsWith(`${base}/`)) throw stray(path);
  return { url, endpoint };
}

function splitQuery(path: string): [string, string] {
  const at = path.indexOf('?');
  return at < 0 ? [path, ''] : [path.slice(0, at), path.slice(at)];
}

function refuseStray(route: string, path: string): void {
  const plainDots = route.replaceAll(/%2e/gi, '.').replaceAll(/%2f|%5c|\\/gi, '/');
  const isPath = /^\/(?!\/)[^\s#\p{Cc}]*$/u.test(route) && !route.includes('\\');
  if (!isPath || plainDots.split('/').some((part) => part === '.' || part === '..')) throw stray(path);
}

const stray = (path: string): CliError =>
  new CliError(`${JSON.stringify(path)} is not a path of the API`, {
    exit: 'usage',
    next: 'begin with one slash, without host and without `..`: `uptime api GET /monitors`; --site-url names the server',
  });

/** Whether a path matches `template`: the path of an endpoint. Each parameter in a template begins with a colon. */
function matches(template: string, path: string): boolean {
  const [expected, actual] = [template.split('/'), path.split('/')];
  return (
    expected.length === actual.length &&
    expected.every((part, i) => (part.startsWith(':') ? actual[i] !== '' : part === actual[i]))
  );
}

/** Returns advice about an unknown path, or about an unknown method of a known path; null for a known endpoint. */
export function nearPaths(method: string, path: string): string | null {
  const [route] = splitQuery(path);
  const inner = route.startsWith('/api/') ? route.slice(4) : route;
  const fitting = endpoints.filter((one) => matches(one.path, inner));
  if (fitting.some((one) => one.method === method)) return null;
  if (fitting.length > 0) return `${inner} takes ${[...new Set(fitting.map((one) => one.method))].join(', ')}`;
  const [, first = ''] = inner.split('/');
  const group = nearest(first, [...new Set(endpoints.map(groupOf))]);
  const below = endpoints.filter((one) => groupOf(one) === group).map(({ path: template }) => template);
  if (below.length === 0) return '`uptime api GET /openapi.json` lists every path';
  const meant = nearest(
    inner,
    below.map((template) => fill(template, inner)),
  );
  return meant ? `did you mean ${meant}?` : `known paths are ${[...new Set(below)].join(', ')}`;
}

const groupOf = ({ path }: Endpoint): string => path.split('/')[1] ?? '';

/** Replaces the parameters of a template by the parts of a path at the same positions. */
function fill(template: string, path: string): string {
  const parts = path.split('/');
  return template
    .split('/')
    .map((part, i) => (part.startsWith(':') ? parts[i] || part : part))
    .join('/');
}
