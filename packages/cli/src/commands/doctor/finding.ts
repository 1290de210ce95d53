import type { ExitName } from '../../exit.ts';

/** The result of one examination of `uptime doctor`. */
export interface Finding {
  what:
    | 'file'
    | 'profile'
    | 'site'
    | 'server'
    | 'version'
    | 'clock'
    | 'key'
    | 'account'
    | 'regions'
    | 'probes'
    | 'alerts'
    | 'limits';
  state: 'ok' | 'warning' | 'failed';
  says: string;
  /** Advice, if something is wrong. */
  next?: string;
  /** The name of doctor's exit code if the state of this finding is `failed`. Default: the exit code `failed`. */
  exit?: ExitName;
}
