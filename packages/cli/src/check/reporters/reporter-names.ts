/** The reporters of `uptime test`, without their code: the help names them. */
export const reporterNames = ['list', 'dot', 'junit', 'github', 'json'] as const;
export type ReporterName = (typeof reporterNames)[number];

/** A reporter, and the file that it writes; null for standard output. */
export interface ReporterChoice {
  name: ReporterName;
  file: string | null;
}
