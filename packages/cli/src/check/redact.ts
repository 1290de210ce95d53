import type { CheckOutcome } from '@uptime/daemon/checks';
import type { Wanted } from '../manifest/item.ts';

/**
 * Removes values that must not be shown, such as those of environment variables, from an outcome of a check. The error
 * and the trace of the outcome may repeat such values.
 */
export function redact(outcome: CheckOutcome, { given, hides }: Pick<Wanted, 'given' | 'hides'>): CheckOutcome {
  const hidden = textsOf(given, '', hides).flatMap(spellingsOf);
  if (hidden.length === 0) return outcome;
  const clean = (text: string) =>
    hidden.reduce((cleaned, secret) => cleaned.replaceAll(secret, '(from the environment)'), text);
  return {
    ...outcome,
    error: outcome.error && { ...outcome.error, message: clean(outcome.error.message) },
    trace: outcome.trace.map(({ at, event }) => ({ at, event: clean(event) })),
  };
}

/**
 * Returns the forms in which an error or a trace may repeat a text: the text itself and, for an address, the
 * normalized address and its host.
 */
function spellingsOf(text: string): string[] {
  const { href = text, host = '', hostname = '' } = URL.parse(text) ?? {};
  return [text, href, host, hostname].filter((one) => one.length >= minLength);
}

/** Only texts of at least this length are removed. A shorter text is often a part of other words. */
const minLength = 4;

function textsOf(value: unknown, path: string, hides: Wanted['hides']): string[] {
  if (typeof value === 'string') return value.length >= minLength && hides(path) ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    textsOf(inner, path === '' ? name : `${path}.${name}`, hides),
  );
}
