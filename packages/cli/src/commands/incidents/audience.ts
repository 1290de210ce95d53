import type { StatusPage } from '@uptime/sdk';

/** Returns the status pages that show an incident: those with one of its monitors, or all if it names no monitor. */
export const audienceOf = (monitorIds: readonly string[], pages: readonly StatusPage[]): StatusPage[] =>
  pages.filter((page) => monitorIds.length === 0 || page.monitorIds.some((id) => monitorIds.includes(id)));
