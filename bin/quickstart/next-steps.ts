import { defaultSiteUrl } from '../../packages/cli/src/settings.ts';
import type { Ready } from './set-up.ts';
import type { Paint } from './watch-monitors.ts';

/** Two addresses of one server. */
export interface Where {
  /** Where this machine reaches it. */
  url: string;
  /** Where people reach it, perhaps only once a proxy or a name leads here. */
  siteUrl: string;
}

/** What to type next. Each command leads to this server, whatever the environment of the terminal says of the site. */
export function nextSteps(ready: Ready, { url, siteUrl }: Where, paint: Paint): string {
  const { link, uptime, manifest, heartbeat } = ready;
  const elsewhere = siteUrl !== url;
  const there = elsewhere ? `UPTIME_SITE_URL=${url} ` : '';
  // The manifest names this server by the environment, or else where it is by default.
  const here = elsewhere || url !== defaultSiteUrl ? `UPTIME_SITE_URL=${url} UPTIME_PORT=${new URL(url).port} ` : '';
  // By its name a heartbeat is pinged at the site's address.
  const target = elsewhere ? heartbeat?.pingUrl.replace(siteUrl, url) : (heartbeat?.key ?? heartbeat?.name);
  const command = (text: string) => paint('cyan', text);
  return [
    'Type next, in another terminal:',
    ...(link ? [`  ${command(link)}`] : []),
    `  ${command(`${there}${uptime} monitors list`)}`,
    ...(target ? [`  ${command(`${uptime} ping ${target}`)}`] : []),
    `  edit ${manifest}, then ${command(`${here}${uptime} monitors apply -f ${manifest}`)}`,
  ].join('\n');
}
