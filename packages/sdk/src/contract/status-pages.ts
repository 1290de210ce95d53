import * as z from 'zod';
import { endpoints } from './endpoint.ts';
import { filters, id, key, line, managedBy, name, paging, patchOf, timestamp, webAddress } from './fields.ts';

const fields = {
  key,
  managedBy,
  name,
  slug: z
    .string()
    .regex(/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/, {
      error: '1 to 63 characters from a-z 0-9 -, with no dash at either end',
    })
    .describe('Last segment of the public address, unique on the server.'),
  monitorIds: z.array(z.string()).max(1000).default([]).describe('Monitors shown, in this order.'),
  customDomain: z.string().max(253).nullable().default(null).describe('Domain name that serves this page.'),
  description: line(500).nullable().default(null).describe("Text shown under the page's name."),
  homeUrl: webAddress.nullable().default(null).describe("Address that the page's name links to (http or https)."),
  iconUrl: webAddress
    .nullable()
    .default(null)
    .describe("Address of an image shown beside the page's name (http or https)."),
  accentColor: z
    .string()
    .regex(/^#[0-9a-fA-F]{6}$/, { error: 'a colour such as #0a66c2: a # and six hexadecimal digits' })
    .nullable()
    .default(null)
    .describe('Colour of links and of the line at the top, such as `#0a66c2`.'),
  groupBy: line(63)
    .nullable()
    .default(null)
    .describe('Name of a label: monitors with the same value of this label share a heading.'),
};

export const statusPageInput = z.strictObject(fields).meta({ id: 'StatusPageInput' });
export type StatusPageFields = z.output<typeof statusPageInput>;
export const statusPagePatch = patchOf(z.strictObject(fields)).meta({ id: 'StatusPagePatch' });

export const statusPage = z
  .object({
    id: id('pag', 'status page'),
    key: z.string().nullable(),
    managedBy: z.string().nullable(),
    name,
    slug: z.string(),
    monitorIds: z.array(z.string()),
    customDomain: z.string().nullable(),
    description: z.string().nullable(),
    homeUrl: z.string().nullable(),
    iconUrl: z.string().nullable(),
    accentColor: z.string().nullable(),
    groupBy: z.string().nullable(),
    url: z.string(),
    domain: z
      .object({
        status: z.enum(['pending', 'active', 'error']),
        error: z.string().nullable(),
        cname: z.string(),
        apex: z
          .boolean()
          .describe(
            'Whether the domain is the top of its zone. Such a domain cannot have a CNAME, and needs the TXT record.',
          ),
        txt: z
          .object({ name: z.string(), value: z.string() })
          .describe('TXT record that proves who owns the domain, if the CNAME of the domain does not prove it.'),
      })
      .nullable()
      .describe('State of the custom domain; null if the page has no custom domain.'),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'StatusPage' });

export const statusPageEndpoints = endpoints({
  listStatusPages: {
    method: 'GET',
    path: '/status-pages',
    access: 'project',
    status: 200,
    summary: 'List status pages.',
    query: z.strictObject({ ...paging, ...filters }),
    response: z.array(statusPage),
  },
  getStatusPage: {
    method: 'GET',
    path: '/status-pages/:statusPageId',
    access: 'project',
    status: 200,
    summary: 'Read a status page.',
    response: statusPage,
  },
  createStatusPage: {
    method: 'POST',
    path: '/status-pages',
    access: 'project',
    scope: 'apply',
    status: 201,
    creates: true,
    summary: 'Create a status page.',
    body: statusPageInput,
    response: statusPage,
    errors: ['conflict', 'plan_limit_exceeded'],
  },
  updateStatusPage: {
    method: 'PATCH',
    path: '/status-pages/:statusPageId',
    access: 'project',
    scope: 'apply',
    status: 200,
    summary: 'Change a status page.',
    body: statusPagePatch,
    response: statusPage,
    errors: ['conflict', 'plan_limit_exceeded'],
  },
  deleteStatusPage: {
    method: 'DELETE',
    path: '/status-pages/:statusPageId',
    access: 'project',
    scope: 'apply',
    status: 204,
    summary: 'Delete a status page.',
    response: null,
  },
  verifyDomain: {
    method: 'POST',
    path: '/status-pages/:statusPageId/verify-domain',
    access: 'project',
    scope: 'apply',
    status: 200,
    summary: 'Check now where the custom domain points, and request its certificate.',
    idempotent: true,
    response: statusPage,
    errors: ['conflict', 'rate_limited'],
  },
});
