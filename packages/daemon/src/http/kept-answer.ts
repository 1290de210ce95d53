import { isDeepStrictEqual } from 'node:util';

/** The field names and indexes that lead to a value. */
type Path = (string | number)[];

/**
 * An answer without the values that its request contains. `taken` lists the values that were left out: such a value was
 * at `at` in the answer, and is at `from` in the request.
 */
interface KeptAnswer {
  answer: unknown;
  taken: { at: Path; from: Path }[];
}

/**
 * A text of at least this length is left out if it is anywhere in the request. A shorter text is left out only if the
 * request has it at the same path as the answer.
 */
const minSearchedLength = 64;

/**
 * Returns the text to store for an answer, without the parts that the request contains. A repeated request has the same
 * input, so `restoreAnswer` can take those parts from that input. This saves the space of long bodies.
 */
export function keepAnswer(answer: unknown, input: unknown): string {
  const long = longTexts(input);
  const taken: KeptAnswer['taken'] = [];
  const without = (value: unknown, given: unknown, at: Path): unknown => {
    if (given !== undefined && given !== null && isDeepStrictEqual(value, given)) {
      taken.push({ at, from: at });
      return null;
    }
    if (typeof value === 'string') {
      const from = value.length < minSearchedLength ? undefined : long.get(value);
      if (from) taken.push({ at, from });
      return from ? null : value;
    }
    if (Array.isArray(value)) return value.map((item, index) => without(item, memberOf(given, index), [...at, index]));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [name, without(item, memberOf(given, name), [...at, name])]),
    );
  };
  const kept: KeptAnswer = { answer: without(answer, input, []), taken };
  return JSON.stringify(kept);
}

/** Returns the answer from the text that `keepAnswer` returned and the input that `keepAnswer` got. */
export function restoreAnswer(kept: string, input: unknown): unknown {
  const { answer, taken } = JSON.parse(kept) as KeptAnswer;
  const whole = { answer };
  for (const { at, from } of taken) {
    const path = ['answer', ...at];
    const holder = path.slice(0, -1).reduce<unknown>(memberOf, whole) as object;
    // A plain assignment would not create a field named `__proto__`.
    const place = { writable: true, enumerable: true, configurable: true };
    Object.defineProperty(holder, path.at(-1)!, { ...place, value: from.reduce<unknown>(memberOf, input) });
  }
  return whole.answer;
}

function memberOf(value: unknown, name: string | number): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Record<string | number, unknown>)[name];
}

/** Returns the path of each long text in an input. */
function longTexts(input: unknown): Map<string, Path> {
  const found = new Map<string, Path>();
  const look = (value: unknown, at: Path): void => {
    if (typeof value === 'string' && value.length >= minSearchedLength) found.set(value, at);
    if (typeof value !== 'object' || value === null) return;
    for (const [name, item] of Object.entries(value)) look(item, [...at, name]);
  };
  look(input, []);
  return found;
}
