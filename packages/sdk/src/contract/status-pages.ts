import { z } from 'zod';
import { endpoints } from './endpoint.ts';
import { filters, id, key, line, name, paging, patchOf, timestamp, webAddress } from './fields.ts';

const fields = {
  key,
  name,
  slug: z
    .string()
    .regex(/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/, {
      error: 'must be 1 to 63 of a-z 0-9 -, with no dash at either end',
    })
    .describe('Last segment of the public address, unique on the server.'),
  monitorIds: z.array(z.string()).max(1000).default([]).describe('Monitors shown, in this order.'),
  customDomain: z.string().max(253).nullable().default(null).describe('Domain name that serves this page.'),
  description: line(500).nullable().default(null).describe('What the page is about, shown under its name.'),
  homeUrl: webAddress.nullable().default(null).describe('Where the name of the page leads, by http or https.'),
  iconUrl: webAddress.nullable().default(null).describe('An image shown beside the name, by http or https.'),
  accentColor: z
    .string()
    .regex(/^#[0-9a-fA-F]{6}$/, { error: 'must be a colour such as #0a66c2: a # and six hexadecimal digits' })
    .nullable()
    .default(null)
    .describe('Colour of links and of the line at the top, such as `#0a66c2`.'),
  groupBy: line(63)
    .nullable()
    .default(null)
    .describe('Label of the monitors; those with the same value stand under one heading.'),
};

export const statusPageInput = z.strictObject(fields).meta({ id: 'StatusPageInput' });
export type StatusPageFields = z.output<typeof statusPageInput>;
export const statusPagePatch = patchOf(z.strictObject(fields)).meta({ id: 'StatusPagePatch' });

export const statusPage = z
  .object({
    id: id('pag', 'status page'),
    key: z.string().nullable(),
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
        txt: z
          .object({ name: z.string(), value: z.string() })
          .describe('TXT record that proves whose the domain is, where a CNAME does not.'),
      })
      .nullable()
      .describe('State of the custom domain; null without one.'),
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
    status: 204,
    summary: 'Delete a status page.',
    response: null,
  },
  verifyDomain: {
    method: 'POST',
    path: '/status-pages/:statusPageId/verify-domain',
    access: 'project',
    status: 200,
    summary: 'Look at once where the custom domain points, and fetch its certificate.',
    response: statusPage,
    errors: ['conflict', 'rate_limited'],
  },
});
