/**
 * Returns the processor time that this thread has used, in milliseconds. Unlike a clock, it leaves out the time in
 * which a busy machine lets the thread wait.
 */
export function cpuTimeMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
