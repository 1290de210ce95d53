import type { EngineOptions } from '../engine/engine.ts';
import type { Deps, SteadyClock } from '../deps.ts';
import type { Downloads } from '../downloads/downloads.ts';
import type { AccountOptions } from '../http/accounts.ts';
import type { RecordedTransition } from '../recording/move-state.ts';

/** Parts of the daemon that a caller, such as a test, may replace. */
export interface Overrides extends Partial<Deps> {
  clock?: SteadyClock;
  runCheck?: EngineOptions['runCheck'];
  readRegistration?: EngineOptions['readRegistration'];
  /** Limit of open files and sockets of this process. Default: no limit. */
  openFiles?: number;
  /** Environment variables that look like settings but are not. The log warns of them. */
  unknownVariables?: readonly string[];
  /** The file that settings were read from. The log warns if other users may read the secrets in that file. */
  configFile?: string | undefined;
  passwords?: AccountOptions['passwords'];
  downloads?: Downloads;
  /** Returns by how many milliseconds the event loop delays work. Default: a measurement. */
  loopDelayMs?: () => number;
  /** Called after each stored change of a monitor's status. */
  onTransition?: (transition: RecordedTransition) => void;
}
