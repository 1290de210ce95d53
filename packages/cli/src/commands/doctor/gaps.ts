import type { Context } from '../../context.ts';
import { readRegions, unservedReason } from '../../gaps/regions.ts';
import { watchesForDown } from '../../gaps/watches.ts';
import type { SettingFlags } from '../../settings.ts';
import { fewNames } from '../../nouns/few-names.ts';
import { allMonitors } from '../../nouns/monitors.ts';
import type { Finding } from './finding.ts';
import { probeFindings } from './probes.ts';
import { findUnservedMonitors } from './unserved-monitors.ts';

/**
 * Examines the monitors that are not paused: whether their regions are served, and whether at least one alert rule
 * watches each of them. Also examines the probes. Returns no findings if the project has no monitors, or only paused
 * monitors.
 */
export async function examineGaps(flags: SettingFlags, context: Context): Promise<Finding[]> {
  const { signal } = context;
  const client = await context.connect(flags);
  const monitors = (await allMonitors({ client, signal })).filter(({ paused }) => !paused);
  if (monitors.length === 0) return [];
  const rules = await client.alertRules.list({}, { signal });
  const regions = await readRegions(client, signal);
  const watched = new Set(rules.filter(watchesForDown).flatMap(({ monitorIds }) => monitorIds));
  const unwatched = monitors.filter(({ id }) => !watched.has(id)).map(({ name }) => name);
  const alerts: Finding =
    unwatched.length === 0
      ? { what: 'alerts', state: 'ok', says: 'each monitor is watched by at least one alert rule' }
      : {
          what: 'alerts',
          state: 'warning',
          says: `no alert rule watches ${unwatched.length} of ${monitors.length} monitors: ${fewNames(unwatched)}`,
          next: 'type `uptime rules create`, or name these monitors in a rule of the manifest',
        };
  if (regions === null) return [alerts];
  const { version = null } = regions.some(({ probes }) => probes.length > 0) ? await client.health({ signal }) : {};
  const unserved = await findUnservedMonitors(client, { monitors, regions, signal });
  return [...regionFindings(monitors, regions, unserved), ...probeFindings(regions, version, Date.now()), alerts];
}

function regionFindings(
  monitors: readonly { name: string; regions?: string[] | null }[],
  regions: Parameters<typeof unservedReason>[1],
  unserved: readonly Finding[],
): Finding[] {
  const named = [...new Set(monitors.flatMap((monitor) => monitor.regions ?? []))];
  const gaps = named.flatMap((name): Finding[] => {
    const reason = unservedReason(name, regions, Date.now());
    if (reason === null) return [];
    const waiting = monitors.filter((monitor) => monitor.regions?.includes(name)).map((monitor) => monitor.name);
    return [
      {
        what: 'regions',
        state: 'warning',
        says: `${reason} (named by ${fewNames(waiting)})`,
        next: `start a probe for this region (\`uptimed admin probes add ${name}\` on the server makes a token), or name another region`,
      },
    ];
  });
  if (gaps.length + unserved.length > 0) return [...gaps, ...unserved];
  const served = regions.filter((region) => region.served).map(({ name }) => name);
  return [{ what: 'regions', state: 'ok', says: `checks run from ${served.join(', ')}` }];
}
