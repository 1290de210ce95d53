import { type Fault, faultAt } from '@uptime/sdk/contract';
/**
 * Maximum number of names in a body, over all its objects. The largest body of the API, a monitor, has about 130 names.
 */
export const maxNames = 1000;
/** Longest name of a field, in bytes. Names of headers and labels have at most 200 characters. */
export const maxNameLength = 4000;
/** Maximum number of values in a body. The longest body, a rule, names 1,000 monitors and 1,000 channels. */
export const maxValues = 5000;

/** Maximum numbers of names and values in a body. */
export interface BodySize {
  names: number;
  values: number;
}

const usualBody: BodySize = { names: maxNames, values: maxValues };

const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;
const comma = 0x2c;
const list = 0x5b;
const object = 0x7b;

/**
 * Returns the fault of a body with too many or too long names, or too many values; otherwise null. It reads each byte
 * once, which costs far less than parsing and validating the body. The body need not be JSON.
 */
export function jsonSizeFault(body: Buffer, maxSize: BodySize = usualBody): Fault | null {
  let [names, values, textLength] = [0, 0, 0];
  for (let at = 0; at < body.length; at++) {
    switch (body[at]!) {
      case quote:
        textLength = -at;
        for (at++; at < body.length && body[at] !== quote; at++) if (body[at] === backslash) at++;
        textLength += at;
        break;
      case colon:
        if (textLength > maxNameLength) return faultAt('', 'field_name_too_long', { maxBytes: maxNameLength });
        if (++names > maxSize.names) return faultAt('', 'too_many_fields', { maxFields: maxSize.names });
        break;
      case comma:
      case list:
      case object:
        if (++values > maxSize.values) return faultAt('', 'too_many_values', { maxValues: maxSize.values });
        break;
      default:
    }
  }
  return null;
}
