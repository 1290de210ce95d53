import type { ProgramName } from './io.ts';

/** Returns the name under which the program was started; `uptime` if the path does not say. */
export const programName = (path = ''): ProgramName =>
  /(?:^|[\\/])uptimectl(?:\.\w+)?$/.test(path) ? 'uptimectl' : 'uptime';
