/** The names of the reporters of `uptime test`. The help needs only the names, so it loads no reporter. */
export const reporterNames = ['list', 'dot', 'junit', 'github', 'json'] as const;
export type ReporterName = (typeof reporterNames)[number];

/** A reporter, and the file that it writes; null for standard output. */
export interface ReporterChoice {
  name: ReporterName;
  file: string | null;
}
