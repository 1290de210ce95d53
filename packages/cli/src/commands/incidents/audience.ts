import type { StatusPage } from '@uptime/sdk';

/** The status pages that show an incident: those with one of its monitors, and all of them where it names none. */
export const audienceOf = (monitorIds: readonly string[], pages: readonly StatusPage[]): StatusPage[] =>
  pages.filter((page) => monitorIds.length === 0 || page.monitorIds.some((id) => monitorIds.includes(id)));
