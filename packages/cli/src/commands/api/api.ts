import { command } from '../../command.ts';
import { CliError, type ExitName } from '../../exit.ts';
import { duration } from '../../flags/duration.ts';
import { Option } from 'commander';
import { isSet, listFlag, type RawFlags, repeated, settingFlags, textFlag } from '../../flags/raw-flags.ts';
import type { SettingFlags } from '../../settings.ts';

interface ApiOptions {
  settings: SettingFlags;
  method: string;
  path: string;
  fields: string[];
  input: string | undefined;
  paginate: boolean;
  timeoutMs: number;
}

export const callApi = command<ApiOptions>({
  path: 'api',
  summary: 'send one request to the API, and print the JSON of the answer in full, including the secrets of monitors',
  examples: ['api GET /incidents --paginate', "api POST /incidents -f 'title=Checkout is slow' -f status=identified"],
  define(command) {
    command
      .argument('<method>', 'GET, POST, PATCH or DELETE')
      .argument('<path>', 'a path of the API, such as /monitors; never a whole address')
      .option(
        '-f, --field <name=value>',
        'a field of the body, or of the query for GET and DELETE. Numbers, true, false, null and JSON are read as such; ' +
          'a[b]=c nests, a[]=b is a list, a=\'"1"\' is a text; may be repeated',
        repeated,
      )
      .option('--input <file>', 'the body: a file of JSON, or - for standard input')
      .option('--paginate', 'read a list page by page, and print all of it')
      .addOption(
        new Option('--timeout <time>', 'how long the answer may take').argParser(duration).default(60_000, '1m'),
      );
  },
  parse: ([method = '', path = ''], flags) => ({
    settings: settingFlags(flags),
    method: readMethod(method),
    path,
    fields: listFlag(flags, 'field'),
    input: textFlag(flags, 'input'),
    paginate: readPaginate(method, flags),
    timeoutMs: flags['timeout'] as number,
  }),

  async run(options, context) {
    const { settings, method, path, timeoutMs } = options;
    const { requestTarget } = await import('./request-target.ts');
    const { credentialFor } = await import('./credential.ts');
    const { readBody } = await import('./request-body.ts');
    const { sendRequest } = await import('./send-request.ts');
    const { printAnswer, printPages } = await import('./print-answer.ts');
    const target = requestTarget(method, path, context.settings(settings).siteUrl.value);
    const content = await readBody(options, context);
    for (const [name, value] of content.query) target.url.searchParams.append(name, value);
    const headers = await credentialFor(target, settings, context);
    const send = (url: URL) =>
      sendRequest({ method, url, headers, body: content.body, timeoutMs }, { context, settings });
    const answer = options.paginate ? await printPages(target.url, send, context.io) : await send(target.url);
    if (!answer) return 'ok';
    await printAnswer(answer, context.io);
    if (answer.status >= 200 && answer.status < 300) return 'ok';
    const { explainStatus } = await import('./explain-status.ts');
    throw explainStatus(answer, { method, path, exit: exitOf(answer.status) });
  },
});

const exitOf = (status: number): ExitName => (status === 401 || status === 403 ? 'unauthorised' : 'failed');

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

function readMethod(text: string): string {
  const method = text.toUpperCase();
  if (methods.includes(method)) return method;
  throw new CliError(`the method must be one of ${methods.join(', ')}`, {
    exit: 'usage',
    next: 'write the method before the path: `uptime api GET /monitors`',
  });
}

function readPaginate(method: string, flags: RawFlags): boolean {
  const paginate = isSet(flags, 'paginate');
  if (!paginate || method.toUpperCase() === 'GET') return paginate;
  throw new CliError('--paginate reads lists, so it needs GET', { exit: 'usage' });
}
