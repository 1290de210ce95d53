import { setPaused } from './set-paused.ts';

export const pauseMonitor = setPaused('pause', 'pause a monitor: no checks, no alerts, not counted in uptime');
