import { setPaused } from './set-paused.ts';

export const resumeMonitor = setPaused('resume', 'check a paused monitor again');
