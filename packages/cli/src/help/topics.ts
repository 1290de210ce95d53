import { exitCodes, exitMeanings, type ExitName } from '../exit.ts';
import { pairs } from '../output.ts';
import { defaultSiteUrl } from '../settings.ts';

/** The topics of `uptime help <topic>`. */
export const topics: Record<string, () => Promise<string> | string> = {
  manifest: async () => (await import('./manifest-topic.ts')).manifestTopic(),
  'exit-codes': () =>
    [
      'Exit codes, of every command:',
      '',
      pairs((Object.keys(exitCodes) as ExitName[]).map((name) => [`  ${exitCodes[name]}`, exitMeanings[name]])),
      '',
      '`uptime exec` and `uptime maintenance run` end as the job that they ran: 126 for one that cannot be run, 127 for one',
      'that is not there, and 128 and more for one that a signal ended.',
    ].join('\n'),
  environment: () =>
    [
      'A flag stands over the environment, the environment over the settings file.',
      '',
      pairs([
        ['  UPTIME_SITE_URL', `address of the server; default ${defaultSiteUrl}`],
        ['  UPTIME_API_KEY', "the project's API key"],
        ['  UPTIME_PROFILE', 'profile of the settings file; default the one last logged in to'],
        ['  UPTIME_CONFIG_DIR', 'folder of the settings file'],
        ['  UPTIME_DNS_SERVERS', 'name servers for `uptime monitors test`, as host[:port], separated by commas'],
        ['  NO_COLOR', 'no colours; FORCE_COLOR=1 keeps them where no terminal is'],
        ['  BROWSER', 'program for `uptime pages open`; default that of the system'],
        ['  CI', 'nothing is asked'],
      ]),
    ].join('\n'),
};
