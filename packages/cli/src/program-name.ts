import type { ProgramName } from './io.ts';

/** Returns the name under which the program was started: `uptimectl`, or `uptime` for any other path. */
export const programName = (path = ''): ProgramName =>
  /(?:^|[\\/])uptimectl(?:\.\w+)?$/.test(path) ? 'uptimectl' : 'uptime';
