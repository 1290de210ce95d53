import { faultSentences, type Nouns } from './fault-sentences.ts';

/** The kind of a fault, from a closed list. */
export type FaultCode = keyof typeof faultSentences;

/** The parameters of a code; an empty object for a code without parameters. */
export type FaultParams<C extends FaultCode> =
  Parameters<(typeof faultSentences)[C]> extends [infer P, ...unknown[]] ? P : Record<string, never>;

/** One fault of an input. An API answer contains only the path and the message of a fault. */
export type Fault = {
  [C in FaultCode]: {
    /** Field names and indexes joined by dots; empty for the whole value. */
    path: string;
    code: C;
    params: FaultParams<C>;
    /** The expected value, in words. */
    message: string;
  };
}[FaultCode];

type Given<C extends FaultCode> = FaultParams<C> extends Record<string, never> ? [] : [params: FaultParams<C>];

/** Returns a fault with its message. */
export function faultAt<C extends FaultCode>(path: string, code: C, ...[params]: Given<C>): Fault {
  const fault = { path, code, params: params ?? {}, message: '' } as Fault;
  return { ...fault, message: sentenceOf(fault) };
}

/** Returns the sentence of a fault. `nouns` says whether the sentence names types as in JSON or as in YAML. */
export function sentenceOf({ code, params }: Pick<Fault, 'code' | 'params'>, nouns: Nouns = 'json'): string {
  const sentence = faultSentences[code] as (params: object, nouns: Nouns) => string;
  return sentence(params, nouns);
}
