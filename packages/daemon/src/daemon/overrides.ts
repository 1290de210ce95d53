import type { EngineOptions } from '../engine/engine.ts';
import type { Deps, SteadyClock } from '../deps.ts';
import type { Downloads } from '../downloads/downloads.ts';
import type { AccountOptions } from '../http/accounts.ts';
import type { RecordedTransition } from '../recording/move-state.ts';

/** Parts that a test or an embedding program may replace. */
export interface Overrides extends Partial<Deps> {
  clock?: SteadyClock;
  runCheck?: EngineOptions['runCheck'];
  readRegistration?: EngineOptions['readRegistration'];
  /** Limit of open files and sockets of this process. Default: no limit. */
  openFiles?: number;
  /** Environment variables that look like settings but are not. The log warns of them. */
  unknownVariables?: readonly string[];
  /** The file that settings were read from. The log warns if others may read its secrets. */
  configFile?: string | undefined;
  passwords?: AccountOptions['passwords'];
  downloads?: Downloads;
  /** How long the event loop keeps work waiting. Default: measured. */
  loopDelayMs?: () => number;
  /** Called after each stored change of a monitor's status. */
  onTransition?: (transition: RecordedTransition) => void;
}
