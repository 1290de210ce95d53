import type { Check } from './check.ts';
import { dial } from './dial.ts';
import { conduct, elapsedMs } from './run.ts';

/** A ping monitor opens a TCP connection to this port. An ICMP ping would need privileges. */
const pingPort = 80;

/** Passes when a TCP connection to port 80 is established. */
export const checkPing: Check<'ping'> = (monitor, context) =>
  conduct(monitor.timeout, context, async (run) => {
    const socket = await dial(run, monitor.host, pingPort);
    run.responseTime = elapsedMs(run);
    socket.destroy();
  });
