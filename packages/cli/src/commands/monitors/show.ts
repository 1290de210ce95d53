import type { Monitor } from '@uptime/sdk';
import type { Io } from '../../io.ts';
import { withoutSecrets } from '../../plan/secrets.ts';
import { type Shown, showResource } from '../show.ts';

/** Prints one monitor with all its fields, or its id alone. What is secret in it stays with the server. */
export const showMonitor = (io: Io, monitor: Monitor, shown: Shown): Promise<void> =>
  showResource(io, withoutSecrets(monitor), shown);
