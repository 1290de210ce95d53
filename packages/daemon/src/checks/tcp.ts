import type { Check } from './check.ts';
import { dial } from './dial.ts';
import { conduct, elapsedMs } from './run.ts';

/** Passes when a TCP connection is established. */
export const checkTcp: Check<'tcp'> = (monitor, context) =>
  conduct(monitor.timeout, context, async (run) => {
    const socket = await dial(run, monitor.host, monitor.port);
    run.responseTime = elapsedMs(run);
    socket.destroy();
  });
