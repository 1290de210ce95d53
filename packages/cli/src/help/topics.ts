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
      '`uptime exec` and `uptime maintenance run` exit with the code of their job: 126 if it cannot be run, 127 if it does',
      'not exist, and 128 plus the number of the signal if a signal ended it.',
    ].join('\n'),
  environment: () =>
    [
      'A flag overrides the environment, and the environment overrides the settings file.',
      '',
      pairs([
        ['  UPTIME_SITE_URL', `address of the server; default: ${defaultSiteUrl}`],
        ['  UPTIME_API_KEY', "the project's API key"],
        ['  UPTIME_PROFILE', 'profile of the settings file; default: the profile of the last login'],
        ['  UPTIME_CONFIG_DIR', 'folder of the settings file'],
        ['  UPTIME_DNS_SERVERS', 'name servers for `uptime monitors test`, as host[:port], separated by commas'],
        ['  NO_COLOR', 'turns colours off; FORCE_COLOR=1 keeps them without a terminal'],
        ['  BROWSER', "program for `uptime pages open`; default: the system's browser"],
        ['  CI', 'if set, no questions are asked'],
      ]),
    ].join('\n'),
};
