import { readdirSync, readFileSync } from 'node:fs';
import process from 'node:process';

/** Linux reports processor times in ticks. A second has this many ticks. */
const ticksPerSecond = 100;

/** Returns how many bytes a process has written to disks since its start; null outside of Linux. */
export function writtenBytes(pid: number): number | null {
  if (process.platform !== 'linux') return null;
  return Number(/^write_bytes: (\d+)$/m.exec(readProcess(pid, 'io') ?? '')?.[1] ?? 0);
}

/** Returns the processor time of a process, its children and its ended children, in µs; null outside of Linux. */
export function cpuMicrosOfTree(pid: number): number | null {
  if (process.platform !== 'linux') return null;
  const own = statOf(pid)!;
  let ticks = own.ticks + own.ticksOfEnded;
  for (const child of childrenOf(pid)) ticks += statOf(child)?.ticks ?? 0;
  return (ticks * 1_000_000) / ticksPerSecond;
}

/** Returns how many bytes a process and its running children have written to disks; null outside of Linux. */
export function writtenBytesOfTree(pid: number): number | null {
  if (process.platform !== 'linux') return null;
  return [pid, ...childrenOf(pid)].reduce((sum, one) => sum + (writtenBytes(one) ?? 0), 0);
}

function childrenOf(pid: number): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((one) => statOf(one)?.parent === pid);
}

/** Returns the parent and the processor times of a process. Null if the process has ended. */
function statOf(pid: number): { parent: number; ticks: number; ticksOfEnded: number } | null {
  const text = readProcess(pid, 'stat');
  if (text === null) return null;
  // The second field, the name in parentheses, may contain blanks.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [user, system, userOfEnded, systemOfEnded] = fields.slice(11, 15).map(Number) as [
    number,
    number,
    number,
    number,
  ];
  return { parent: Number(fields[1]), ticks: user + system, ticksOfEnded: userOfEnded + systemOfEnded };
}

/** Returns the text of one of the kernel's files about a process. Null if the process has ended. */
function readProcess(pid: number, file: string): string | null {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
}
