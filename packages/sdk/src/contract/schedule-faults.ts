import { type Fault, faultAt } from './fault-at.ts';

/** The fields that make an incident a maintenance window; times in ISO 8601. */
interface Schedule {
  maintenance: boolean;
  scheduledStart: string | null;
  scheduledEnd: string | null;
}

/**
 * Finds the faults of start and end. A maintenance window needs both, and must end after its start. An ordinary
 * incident must have neither.
 */
export function scheduleFaults({ maintenance, scheduledStart, scheduledEnd }: Schedule): Fault[] {
  const given = Object.entries({ scheduledStart, scheduledEnd });
  const at = (paths: typeof given, code: 'only_for_windows' | 'required_for_windows'): Fault[] =>
    paths.map(([path]) => faultAt(path, code));
  if (!maintenance) {
    const foreign = given.filter(([, instant]) => instant !== null);
    return at(foreign, 'only_for_windows');
  }
  const missing = given.filter(([, instant]) => instant === null);
  if (missing.length > 0) return at(missing, 'required_for_windows');
  const backwards = Date.parse(scheduledStart!) >= Date.parse(scheduledEnd!);
  return backwards ? [faultAt('scheduledEnd', 'not_after', { field: 'scheduledStart' })] : [];
}
