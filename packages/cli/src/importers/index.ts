import type { ImportKind } from './import-kinds.ts';
import type { Importer } from './importer.ts';
import { blackbox } from './blackbox.ts';
import { crontab } from './crontab.ts';
import { gatus } from './gatus.ts';
import { healthchecks } from './healthchecks.ts';
import { kuma } from './kuma.ts';
import { openstatus } from './openstatus.ts';
import { upptime } from './upptime.ts';

/** Every importer, by the word that `uptime import` expects. */
export const importers: Record<ImportKind, Importer> = {
  kuma,
  gatus,
  upptime,
  healthchecks,
  openstatus,
  blackbox,
  crontab,
};
