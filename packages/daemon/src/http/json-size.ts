/** Most names in a body, over all its objects: the largest of the interface, a monitor, has some 130. */
export const mostNames = 1000;
/** Longest name of a field, in bytes: names of headers and labels have 200 characters at most. */
export const longestName = 4000;
/** Most values in a body: the longest, a rule, names 1,000 monitors and 1,000 channels. */
export const mostValues = 5000;

const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;
const comma = 0x2c;
const list = 0x5b;
const object = 0x7b;

/**
 * Whether a body has more or longer names, or more values, than any of the interface, as a message; null where it has not.
 * Reading and validating them costs far more than counting: this looks at each byte once, and the body need not be JSON.
 */
export function jsonSizeFault(body: Buffer): string | null {
  let [names, values, textLength] = [0, 0, 0];
  for (let at = 0; at < body.length; at++) {
    switch (body[at]!) {
      case quote:
        textLength = -at;
        for (at++; at < body.length && body[at] !== quote; at++) if (body[at] === backslash) at++;
        textLength += at;
        break;
      case colon:
        if (textLength > longestName) return `must have no field whose name is longer than ${longestName} bytes`;
        if (++names > mostNames) return `must have at most ${mostNames} fields, those inside others counted too`;
        break;
      case comma:
      case list:
      case object:
        if (++values > mostValues) return `must have at most ${mostValues} values, those inside others counted too`;
        break;
      default:
    }
  }
  return null;
}
