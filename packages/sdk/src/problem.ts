import { type ApiError, apiError, type ErrorCode } from './errors.ts';
import { retryAfter } from './retry.ts';
import type { Problem } from './types.ts';

/** An answer with its body as text. */
export interface Received {
  status: number;
  statusText: string;
  headers: Headers;
  text: string;
}

/** Returns the error for an answer, from its problem document or from any other body. */
export function errorOf(received: Received, request: string): ApiError {
  const { status, headers } = received;
  const body = jsonOf(received.text) as Partial<Record<keyof Problem | 'message' | 'error', unknown>> | undefined;
  const detail = words(body?.detail);
  return apiError({
    status,
    // A newer server may send a code that this SDK does not know. The error keeps that code.
    code: detail ? ((words(body?.code) ?? 'unexpected_answer') as ErrorCode) : 'unexpected_answer',
    title: words(body?.title) ?? (received.statusText || 'Unexpected answer'),
    detail: detail ?? words(body?.message) ?? words(body?.error) ?? `${request} returned ${summary(received)}.`,
    errors: Array.isArray(body?.errors) ? body.errors : [],
    requestId: words(body?.requestId) ?? headers.get('x-request-id'),
    retryAfter: retryAfter(headers.get('retry-after')),
  });
}

const words = (value: unknown): string | undefined => (typeof value === 'string' && value ? value : undefined);

/** Returns the error for a successful answer that does not come from this API, such as the page of a proxy. */
export function unexpected(received: Received, request: string, list: boolean | undefined): ApiError {
  const wanted = list ? 'a list' : 'JSON';
  return apiError({
    status: received.status,
    code: 'unexpected_answer',
    title: 'Unexpected answer',
    detail: `${request} returned ${summary(received)}, but ${wanted} was expected: is this the address of the API?`,
  });
}

/** Parses JSON; returns undefined for any other text. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function summary({ status, statusText, headers }: Received): string {
  const words = `${status || 'a redirect'} ${statusText}`.trim();
  const location = headers.get('location');
  if (status < 200 || (status >= 300 && status < 400)) {
    return `${words}${location ? ` to ${location.split(/[?#]/)[0]}` : ''}, which is not followed: set siteUrl to the final address`;
  }
  const type = headers.get('content-type')?.split(';')[0];
  return `${words} (${type || 'no content type'})`;
}
