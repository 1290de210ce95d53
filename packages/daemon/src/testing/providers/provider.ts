import { z } from 'zod';
import type { Gateways } from '../../channels/index.ts';
import type { ReceivedRequest } from '../targets/index.ts';

/** What a test's config has in place of each secret; it must not be read anywhere but in requests. */
export const canary = 'CANARY-5e8c0c1d2f';

/** How a provider behaves, as its documentation has it. */
export interface Provider {
  /** A config that leads to the provider at this address, and has the canary in every secret. */
  config: (url: string) => object;
  gateways?: (url: string) => Partial<Gateways>;
  method: 'POST' | 'PUT';
  path: RegExp;
  headers?: Record<string, string>;
  /** What it takes, with its limits; others are a 400. */
  body: z.ZodType;
  /** Its plain form, where it has one: what a provider takes that refuses the form above, and its words of refusal. */
  plain?: { body: z.ZodType; refusal: { status: number; body: string } };
  /** What it answers to that. */
  answer: { status: number; body: string };
}

/** What a provider would say against a request whose body is not like this; null when it takes it. */
export function objection(
  provider: Provider,
  { method, url, headers, body }: ReceivedRequest,
  like: z.ZodType,
): string | null {
  if (method !== provider.method || !provider.path.test(url)) return `no such endpoint: ${method} ${url}`;
  const expected = { 'content-type': 'application/json', ...provider.headers };
  const wrong = Object.entries(expected).find(([name, value]) => headers[name] !== value);
  if (wrong) return `wrong header ${wrong[0]}: ${String(headers[wrong[0]])}`;
  const read = like.safeParse(headers['content-type'] === 'application/json' ? JSON.parse(body) : body);
  return read.success ? null : z.prettifyError(read.error);
}

/** Text of so many characters; also without lone surrogates and line breaks that nobody asked for. */
export const text = (atMost: number) =>
  z
    .string()
    .min(1)
    .max(atMost)
    .refine((value) => value.isWellFormed(), 'must be well-formed')
    .refine((value) => !/[\r\0\u2028\u202e]/.test(value), 'must be without control characters')
    .refine((value) => value.trim() !== '', 'must not be blank');

/** An address whose host has a dot in it, or is an IPv4 address. */
export const dottedUrl = z.url({ hostname: /^[^[\]]*[^.]\.[^.]/ });

/** At most so many bytes as JSON. */
export const within = (bytes: number) => (body: unknown) => Buffer.byteLength(JSON.stringify(body)) <= bytes;

/** The fields of a form. */
export const form = (fields: z.ZodRawShape) =>
  z.preprocess((body) => Object.fromEntries(new URLSearchParams(String(body))), z.strictObject(fields));
