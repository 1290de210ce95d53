/**
 * The kinds of `uptime import`, each with its file. The help needs only this list, so it does not load the importers.
 */
export const importFiles = {
  kuma: 'kuma.db or a JSON backup of Uptime Kuma',
  gatus: 'config.yaml of Gatus, or its folder of YAML files',
  upptime: '.upptimerc.yml of Upptime',
  healthchecks: 'the JSON of GET /api/v3/checks/ of Healthchecks',
  openstatus: 'openstatus.yaml',
  blackbox: 'prometheus.yml with jobs for the blackbox exporter',
  crontab: 'a crontab',
} as const;

export type ImportKind = keyof typeof importFiles;

export const importKinds = Object.keys(importFiles) as ImportKind[];
