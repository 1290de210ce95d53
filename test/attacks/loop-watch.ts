import { renameSync, writeFileSync } from 'node:fs';
import { env } from 'node:process';

// Loaded before a daemon. Records the longest processor time of one turn of its event loop since the last SIGUSR2. Time
// in which other processes ran does not count. It measures once a millisecond, because it cannot tell apart the turns
// between two measurements.
const measureEveryMs = 1;
const file = env['UPTIME_TEST_LOOP_FILE']!;
let longestMs = 0;
let used = process.threadCpuUsage();
process.on('SIGUSR2', () => void (longestMs = 0));
setInterval(() => {
  const now = process.threadCpuUsage();
  const busyMs = (now.user + now.system - used.user - used.system) / 1000;
  used = now;
  if (busyMs <= longestMs) return;
  longestMs = busyMs;
  // The file is renamed into place, because the test may read it at any time.
  writeFileSync(`${file}.new`, String(longestMs));
  renameSync(`${file}.new`, file);
}, measureEveryMs).unref();
