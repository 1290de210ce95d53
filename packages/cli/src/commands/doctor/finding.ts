import type { ExitName } from '../../exit.ts';

/** One thing that was looked at. */
export interface Finding {
  what:
    'file' | 'profile' | 'site' | 'server' | 'version' | 'clock' | 'key' | 'account' | 'regions' | 'alerts' | 'limits';
  state: 'ok' | 'warning' | 'failed';
  says: string;
  /** What to type next, where something is not as it should be. */
  next?: string;
  /** What the run ends in, for what failed; `failed` where it is left out. */
  exit?: ExitName;
}
