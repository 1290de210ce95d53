import * as z from 'zod';
import type { Gateways } from '../../channels/index.ts';
import type { ReceivedRequest } from '../targets/index.ts';

/** Stands for each secret in a test's config. It may appear only in requests to the provider. */
export const canary = 'CANARY-5e8c0c1d2f';

/** How a provider behaves, according to its documentation. */
export interface Provider {
  /** A config with the provider's address, and the canary in every secret. */
  config: (url: string) => object;
  gateways?: (url: string) => Partial<Gateways>;
  method: 'POST' | 'PUT';
  path: RegExp;
  headers?: Record<string, string>;
  /** The bodies that the provider accepts, with their limits. It answers all other bodies with 400. */
  body: z.ZodType;
  /** The plain form of messages, if the provider has one: the accepted body, and the refusal of the rich form. */
  plain?: {
    body: z.ZodType;
    refusal: { status: number; body: string };
    /** Whether the plain form is a single line, without time and link. */
    oneLine?: true;
  };
  /** The answer to an accepted body. */
  answer: { status: number; body: string };
  /** Whether the messages are data for a program, without sentences. */
  forPrograms?: true;
  /** Whether the messages are read aloud. Then they contain no addresses. */
  readsOut?: true;
}

/**
 * Returns why a provider refuses a request; null if it accepts the request. The provider accepts only bodies that match
 * `like`.
 */
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

/**
 * Text of at most this many characters that is well-formed, is not blank, and has no control characters such as `\r`.
 */
export const text = (maxCharacters: number) =>
  z
    .string()
    .min(1)
    .max(maxCharacters)
    .refine((value) => value.isWellFormed(), 'must be well-formed')
    .refine((value) => !/[\r\0\u2028\u202e]/.test(value), 'must be without control characters')
    .refine((value) => value.trim() !== '', 'must not be blank');

/** An address whose host contains a dot, or is an IPv4 address. */
export const dottedUrl = z.url({ hostname: /^[^[\]]*[^.]\.[^.]/ });

/** Checks that a body has at most this many bytes as JSON. */
export const within = (bytes: number) => (body: unknown) => Buffer.byteLength(JSON.stringify(body)) <= bytes;

/** The body of a submitted form with these fields. */
export const form = (fields: z.ZodRawShape) =>
  z.preprocess((body) => Object.fromEntries(new URLSearchParams(String(body))), z.strictObject(fields));
