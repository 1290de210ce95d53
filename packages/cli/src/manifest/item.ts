import type { NormalMonitor } from '@uptime/sdk/contract';
import type { Place } from './diagnostic.ts';

/** A monitor as a manifest wants it. */
export interface Wanted {
  /** The fields as written, before defaults. */
  given: Record<string, unknown>;
  /** Every field, defaults filled in. */
  value: NormalMonitor;
  /** Whether what stands at a path came from the environment and must not be shown. */
  hides: (path: string) => boolean;
  /** Where a field stands; where the monitor begins, for a field that is not written. */
  place: (path: string) => Place;
}

/** A stand-in for a monitor that comes from no file. */
export const wantedFrom = (value: NormalMonitor, given: Record<string, unknown> = { ...value }): Wanted => ({
  given,
  value,
  hides: () => false,
  place: () => ({ file: '', line: 1, column: 1 }),
});
