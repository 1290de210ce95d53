import { renameSync, writeFileSync } from 'node:fs';
import { env } from 'node:process';

// Loaded into a daemon before its own code. Measures the processor time of each turn of the event loop, and writes the
// longest time to a file. SIGUSR2 resets the longest time to zero. Time in which other processes ran is not included.
// The timer fires each millisecond, because turns between two firings are measured as one.
const measureEveryMs = 1;
const file = env['UPTIME_TEST_LOOP_FILE']!;
let maxMs = 0;
let used = process.threadCpuUsage();
process.on('SIGUSR2', () => void (maxMs = 0));
setInterval(() => {
  const now = process.threadCpuUsage();
  const busyMs = (now.user + now.system - used.user - used.system) / 1000;
  used = now;
  if (busyMs <= maxMs) return;
  maxMs = busyMs;
  // The new file replaces the old one in one step, because the test may read the file at any time.
  writeFileSync(`${file}.new`, String(maxMs));
  renameSync(`${file}.new`, file);
}, measureEveryMs).unref();
