import type { Fault } from './validate.ts';

/** The fields that make an incident a maintenance window; times in ISO 8601. */
interface Schedule {
  maintenance: boolean;
  scheduledStart: string | null;
  scheduledEnd: string | null;
}

/** Checks what JSON Schema cannot: a maintenance window has a start and a later end, other incidents have neither. */
export function scheduleFaults({ maintenance, scheduledStart, scheduledEnd }: Schedule): Fault[] {
  const given = Object.entries({ scheduledStart, scheduledEnd });
  const at = (paths: typeof given, message: string): Fault[] => paths.map(([path]) => ({ path, message }));
  if (!maintenance) {
    const foreign = given.filter(([, instant]) => instant !== null);
    return at(foreign, 'is only for maintenance windows: set `maintenance` to true');
  }
  const missing = given.filter(([, instant]) => instant === null);
  if (missing.length > 0) return at(missing, 'is required for a maintenance window');
  const backwards = Date.parse(scheduledStart!) >= Date.parse(scheduledEnd!);
  return backwards ? [{ path: 'scheduledEnd', message: 'must be after `scheduledStart`' }] : [];
}
