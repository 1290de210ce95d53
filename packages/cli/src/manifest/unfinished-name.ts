/** The name of the temporary file that a pull writes beside a file of the manifest, before it replaces that file. */
export const unfinishedName = (name: string, writer: { pid: number; id: string }): string =>
  `.${name}.${writer.pid}-${writer.id}.tmp`;

/** Returns the process that writes such a file; null for any other name. */
export function writerOf(name: string): number | null {
  const [, pid] = /^\..+\.(\d+)-[0-9a-f-]{36}\.tmp$/.exec(name) ?? [];
  return pid === undefined ? null : Number(pid);
}
