/** The least number of files that a process must be able to open: some 40 at rest, and two for each check under way. */
export const leastOpenFiles = 128;

/** Why a process that may open so many files cannot serve; null where it can. `unlimited` is what macOS says. */
export function fileLimitFault(limit: number | 'unlimited' | undefined): string | null {
  if (typeof limit !== 'number' || limit >= leastOpenFiles) return null;
  return (
    `uptimed needs at least ${leastOpenFiles} open files, and this process may have ${limit}. Raise the limit: ` +
    '`ulimit -n 65536` in the shell, `LimitNOFILE=65536` in a systemd unit, `--ulimit nofile=65536:65536` with Docker.'
  );
}
