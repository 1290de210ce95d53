import type { ProgramName } from './io.ts';

/** Returns the name under which the program was started. Returns `uptime` if the path is another one. */
export const programName = (path = ''): ProgramName =>
  /(?:^|[\\/])uptimectl(?:\.\w+)?$/.test(path) ? 'uptimectl' : 'uptime';
