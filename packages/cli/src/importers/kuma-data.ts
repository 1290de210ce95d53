import { isMap, mapsOf, textOf } from './parse-data.ts';
import { type Places, readMap, wrongFile } from './read-map.ts';
import type { ImportSource } from './importer.ts';

export type Row = Record<string, unknown>;

/**
 * The content of Uptime Kuma, from its database or from a backup. The columns of all rows are named as in the database.
 */
export interface KumaData {
  monitors: Row[];
  notifications: Row[];
  /** Rows that say which monitor uses which notification, in `monitor_id` and `notification_id`. */
  links: Row[];
  tags: Row[];
  monitorTags: Row[];
  pages: Row[];
  groups: Row[];
  groupMonitors: Row[];
  /** Rows that say which domain shows which page, in `status_page_id` and `domain`. */
  pageDomains: Row[];
  hasMaintenance: boolean;
  hasIncidents: boolean;
  /** Whether the file contains results of past checks. */
  hasHistory: boolean;
}

const snake = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Reads a JSON backup. The names of its fields differ from the columns of the database. */
export async function readKumaBackup(source: ImportSource, places: Places): Promise<KumaData> {
  const expected = 'kuma.db, or a JSON backup of Uptime Kuma with `monitorList`';
  const data = await readMap(source, 'JSON', expected, places);
  const monitors = mapsOf(data['monitorList']);
  if (monitors.length === 0) throw wrongFile(source, expected);
  const renamed = monitors.map((monitor) => {
    const columns = Object.entries(monitor).map(([name, value]) => [snake(name), value] as const);
    const row: Row = { ...Object.fromEntries(columns), accepted_statuscodes_json: monitor['accepted_statuscodes'] };
    const place = places.get(monitor);
    if (place) places.set(row, place);
    return row;
  });
  const links = monitors.flatMap(({ id, notificationIDList }) =>
    Object.entries(isMap(notificationIDList) ? notificationIDList : {})
      .filter(([, isOn]) => isOn === true)
      .map(([notification]) => ({ monitor_id: id, notification_id: Number(notification) })),
  );
  const tagged = monitors.flatMap(({ id, tags }) =>
    mapsOf(tags).map(({ name, value }) => ({ monitor_id: id, tag_id: textOf(name), value })),
  );
  const names = [...new Set(tagged.map(({ tag_id }) => tag_id))];
  return {
    monitors: renamed,
    notifications: mapsOf(data['notificationList']),
    links,
    tags: names.map((name) => ({ id: name, name })),
    monitorTags: tagged,
    pages: [],
    groups: [],
    groupMonitors: [],
    pageDomains: [],
    hasMaintenance: false,
    hasIncidents: false,
    hasHistory: false,
  };
}
