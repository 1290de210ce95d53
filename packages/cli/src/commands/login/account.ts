import { ForbiddenError, type Project, type SignedInWithCookie, UnauthenticatedError, Uptime } from '@uptime/sdk';
import type { Context } from '../../context.ts';
import { CliError, type ExitName } from '../../exit.ts';
import { plain } from '../../output.ts';
import type { SettingFlags, Settings } from '../../settings.ts';
import { readSecret } from '../../prompts/read-secret.ts';
import { storeLogin } from './store-login.ts';

interface Account {
  settings: SettingFlags;
  email: string | undefined;
  password: string | undefined;
}

/**
 * Signs in, and stores the session in the profile. Also stores the API key of the only project, or of the project that
 * the user chooses.
 */
export async function loginToAccount(account: Account, context: Context): Promise<ExitName> {
  const { anonymous, credentials, settings } = await readAccount(account, context);
  const signedIn = await anonymous.auth.signIn(credentials, { signal: context.signal }).catch(refused);
  return storeAccount(signedIn, account, settings, context);
}

/** Creates an account, signs in to it, and stores the session in the same way as a login. */
export async function signUpAccount(
  account: Account & { name: string | undefined; invitation: string | undefined },
  context: Context,
): Promise<ExitName> {
  const name = account.name ?? (await askText('name', 'Your name', context));
  const { anonymous, credentials, settings } = await readAccount(account, context);
  const { invitation } = account;
  const input = { name, ...credentials, ...(invitation !== undefined && { invitation }) };
  const signedIn = await anonymous.auth.signUp(input, { signal: context.signal }).catch((error: unknown) => {
    if (!(error instanceof ForbiddenError)) throw error;
    throw new CliError(error.message, {
      exit: 'unauthorised',
      next: 'the operator of the server can create an invitation with `uptimed admin invite`',
      cause: error,
    });
  });
  return storeAccount(signedIn, account, settings, context);
}

/** Asks for missing credentials. Returns all credentials, and a client that is not logged in yet. */
async function readAccount(account: Account, context: Context) {
  const settings = context.settings({ ...account.settings, apiKey: undefined });
  const { value: siteUrl } = settings.siteUrl;
  const email = account.email ?? (await askText('email', `E-mail address of your account on ${siteUrl}`, context));
  const password = await readSecret(
    { given: account.password, question: `Password of ${plain(email)}`, what: 'password' },
    context,
  );
  const onRequest = context.tracer(account.settings);
  const anonymous = new Uptime({ apiKey: null, siteUrl, fetch: context.fetch, onRequest });
  return { anonymous, credentials: { email, password }, settings };
}

async function storeAccount(
  { user, cookie }: SignedInWithCookie,
  account: Account,
  settings: Settings,
  context: Context,
): Promise<ExitName> {
  const { signal, fetch, io } = context;
  const { value: siteUrl } = settings.siteUrl;
  if (!cookie) throw new CliError('the server accepted the sign-in, but set no session cookie');

  const client = new Uptime({
    session: cookie,
    apiKey: null,
    siteUrl,
    fetch,
    onRequest: context.tracer(account.settings),
  });
  const projects = await client.projects.list({}, { signal });
  const project = await chooseProject(projects, context);
  const login = { session: cookie, ...(project && { apiKey: project.apiKey }) };
  await storeLogin(login, settings, `Logged in to ${siteUrl} as ${plain(user.email)}`, context);
  if (project) io.say(`Commands now use project ${plain(project.name)}.`);
  else if (projects.length > 0)
    io.say(`You have ${projects.length} projects: \`uptime projects use <name>\` selects one.`);
  else io.say('You have no project yet: `uptime projects create --name <name> --use` creates one.');
  return 'ok';
}

function refused(error: unknown): never {
  if (!(error instanceof UnauthenticatedError)) throw error;
  throw new CliError('the server does not accept this e-mail address and password', {
    exit: 'unauthorised',
    next: 'check both; `uptime signup` creates an account',
    cause: error,
  });
}

async function askText(flag: 'email' | 'name', message: string, { io, signal }: Context): Promise<string> {
  if (!io.interactive) {
    const what = flag === 'email' ? 'e-mail address' : 'name';
    throw new CliError(`no ${what} was given, and there is no terminal to ask on`, {
      exit: 'usage',
      next: `add --${flag} <${flag === 'email' ? 'address' : 'name'}>`,
    });
  }
  const { input } = await import('@inquirer/prompts');
  const answer = await input({ message, required: true }, { input: io.stdin, output: io.stderr, signal });
  return answer.trim();
}

/**
 * Returns the only project. If there are several, lets the user choose one on a terminal; elsewhere, returns undefined.
 */
async function chooseProject(projects: readonly Project[], { io, signal }: Context): Promise<Project | undefined> {
  if (projects.length < 2 || !io.interactive) return projects.length === 1 ? projects[0] : undefined;
  const { select } = await import('@inquirer/prompts');
  return select(
    {
      message: 'Project to work on',
      choices: projects.map((project) => ({ name: plain(project.name), value: project, description: project.id })),
    },
    { input: io.stdin, output: io.stderr, signal },
  );
}
