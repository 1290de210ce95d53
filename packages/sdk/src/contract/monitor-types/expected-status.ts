import * as z from 'zod';
import { whole } from '../fields.ts';
import { type Fault, faultAt } from '../fault-at.ts';

const statusCode = whole(100, 599);
const one = '(?:[1-5][0-9]{2}(?:-[1-5][0-9]{2})?|[1-5][xX]{2})';
const statusText = z.string().regex(new RegExp(`^\\s*${one}(?:\\s*,\\s*${one})*\\s*$`), {
  error: 'a code (200), a class ("2xx"), a range ("200-299") or a comma list of these',
});

/** The status codes that count as success. */
export const expectedStatus = z
  .union(
    [
      statusCode,
      statusText,
      z
        .array(z.union([statusCode, statusText]))
        .min(1)
        .max(50),
    ],
    {
      error: 'a code (200), a class ("2xx"), a range ("200-299"), a comma list, or an array of these',
    },
  )
  .default('200-299')
  .describe('Status codes that count as success: a code, a class, a range, a comma list, or an array of these.');

/** Finds ranges whose end is below their start. */
export function statusFaults(expected: z.output<typeof expectedStatus>, path: string): Fault[] {
  const parts = Array.isArray(expected) ? expected : [expected];
  return parts.flatMap((part, index) =>
    String(part)
      .split(',')
      .map((word) => word.trim().split('-').map(Number))
      .filter(([low, high]) => high !== undefined && low! > high)
      .map(([low, high]) =>
        faultAt(Array.isArray(expected) ? `${path}.${index}` : path, 'backward_range', { low: low!, high: high! }),
      ),
  );
}
