import { defaultSiteUrl } from '../../packages/cli/src/settings.ts';
import type { Ready } from './set-up.ts';
import type { Paint } from './watch-monitors.ts';

/** Two addresses of one server. */
export interface Where {
  /** The address of the server on this machine. */
  url: string;
  /** The public address of the server. It may need a proxy or a DNS name that does not exist yet. */
  siteUrl: string;
}

/** Returns the commands to type next. Each works with this server, even if the environment names another server. */
export function nextSteps(ready: Ready, { url, siteUrl }: Where, paint: Paint): string {
  const { link, uptime, manifest, heartbeat } = ready;
  const elsewhere = siteUrl !== url;
  const there = elsewhere ? `UPTIME_SITE_URL=${url} ` : '';
  // The manifest reads the server's address from these variables. If they are not set, it uses the default address.
  const here = elsewhere || url !== defaultSiteUrl ? `UPTIME_SITE_URL=${url} UPTIME_PORT=${new URL(url).port} ` : '';
  // `uptime ping <name>` uses the public address. If that differs from the address on this machine, the command gets
  // the heartbeat's ping address on this machine in place of the name.
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
