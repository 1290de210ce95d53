import type { Reporter } from '../test-report.ts';
import { dot } from './dot.ts';
import { github } from './github.ts';
import { json } from './json.ts';
import { junit } from './junit.ts';
import { list } from './list.ts';
import type { ReporterName } from './reporter-names.ts';

/** Every reporter of `uptime test`. */
export const reporters: Record<ReporterName, Reporter> = { list, dot, junit, github, json };
