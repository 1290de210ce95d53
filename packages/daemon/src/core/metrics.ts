import { type Fault, maxMetricsBytes, faultAt } from '@uptime/sdk/contract';

/** The contents of a ping's body. */
export type PingBody =
  | { ok: true; metrics: Record<string, number | string> | null }
  | { ok: false; reason: 'too_large' }
  | { ok: false; reason: 'invalid'; faults: Fault[] };

/**
 * Reads the body of a ping. A JSON object counts as metrics, whatever its content type is, because curl's default is
 * the type of a form. An array counts as JSON too, because its sender surely meant JSON. A body that is empty, or that
 * neither is JSON nor claims to be, is a ping without metrics. So a ping with a log in its body still counts. Only
 * metrics have a size limit.
 *
 * `bytes` is the size as received. `text` is null if the body is not UTF-8.
 */
export function readMetrics(text: string | null, bytes: number, claimsJson: boolean): PingBody {
  const parsed = text === null ? undefined : parse(text);
  const meansMetrics = claimsJson || (typeof parsed === 'object' && parsed !== null);
  if (bytes > maxMetricsBytes && meansMetrics) return { ok: false, reason: 'too_large' };
  if (parsed === undefined) {
    const blank = text?.trim() === '';
    if (blank || !claimsJson) return { ok: true, metrics: null };
    return { ok: false, reason: 'invalid', faults: [faultAt('', 'not_json')] };
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    if (!claimsJson && !Array.isArray(parsed)) return { ok: true, metrics: null };
    return { ok: false, reason: 'invalid', faults: [faultAt('', 'not_flat')] };
  }
  const faults = Object.entries(parsed).flatMap(([path, value]) => {
    if (halfPair.test(path) || (typeof value === 'string' && halfPair.test(value)))
      return [faultAt(path.replace(/\p{Cs}/gu, '\ufffd'), 'half_character')];
    const good = typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value));
    return good ? [] : [faultAt(path, 'wrong_type', { expected: ['number', 'string'], words: null })];
  });
  if (faults.length > 0) return { ok: false, reason: 'invalid', faults };
  return { ok: true, metrics: parsed as Record<string, number | string> };
}

const halfPair = /\p{Cs}/u;

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
