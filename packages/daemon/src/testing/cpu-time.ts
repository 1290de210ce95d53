/**
 * The processor time that this thread has used, in milliseconds. Unlike a clock, it does not count the waits of a busy
 * machine.
 */
export function cpuTimeMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
