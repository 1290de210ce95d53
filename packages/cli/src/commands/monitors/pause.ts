import { setPaused } from './set-paused.ts';

export const pauseMonitor = setPaused('pause', 'stop checking a monitor; it opens no alert and counts in no uptime');
