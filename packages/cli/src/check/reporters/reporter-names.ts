/**
 * The names of the reporters of `uptime test`. They have their own file, so that the help can list them without loading
 * a reporter.
 */
export const reporterNames = ['list', 'dot', 'junit', 'github', 'json'] as const;
export type ReporterName = (typeof reporterNames)[number];

/** A reporter, and the file for its report. If `file` is null, the report goes to standard output. */
export interface ReporterChoice {
  name: ReporterName;
  file: string | null;
}
