import { BadRequestError, ForbiddenError, NotFoundError, type Uptime } from '@uptime/sdk';
import type { Context } from '../../context.ts';
import { explain } from '../../report.ts';
import { type SettingFlags } from '../../settings.ts';
import { maskKey } from '../../mask.ts';
import { projectInUse } from '../project-of.ts';
import type { Finding } from './finding.ts';

/** Checks whether the server accepts the key, which project it opens, and whether it may write. */
export async function examineKey(flags: SettingFlags, context: Context): Promise<Finding> {
  try {
    const client = await context.connect(flags);
    const { apiKey } = context.settings(flags);
    const project = await projectInUse(client, flags, context);
    const opens = project
      ? `opens project ${project.name} (${project.id})`
      : 'opens a project that the server does not name';
    const rights = (await mayWrite(client, context.signal)) ? 'may read and write' : 'may only read';
    const says = `${maskKey(apiKey!.value)} (${apiKey!.from}) ${opens}, and ${rights}`;
    return { what: 'key', state: 'ok', says };
  } catch (error) {
    return failed('key', error, context);
  }
}

/** Checks whether the stored session is still valid. A session is optional. */
export async function examineAccount(flags: SettingFlags, context: Context): Promise<Finding> {
  const { session, sessionWithheld } = context.settings(flags);
  const login = '`uptime login --email <address>`';
  if (sessionWithheld) return { what: 'account', state: 'warning', says: sessionWithheld, next: `type ${login}` };
  if (!session) return { what: 'account', state: 'ok', says: `not logged in; ${login} lets you manage projects` };
  try {
    const client = await context.connectAccount(flags);
    const current = await client.auth.getSession({ signal: context.signal });
    if (current) {
      const says = `${current.user.email} (${session.from}), until ${current.session.expiresAt}`;
      return { what: 'account', state: 'ok', says };
    }
    return {
      what: 'account',
      state: 'failed',
      says: 'the session has ended',
      next: `type ${login}`,
      exit: 'unauthorised',
    };
  } catch (error) {
    return failed('account', error, context);
  }
}

/** Tries to change a monitor that does not exist. A key that may write gets a 404; any other key gets a 403. */
async function mayWrite(client: Uptime, signal: AbortSignal): Promise<boolean> {
  try {
    await client.monitors.update('mon_0', {}, { signal });
  } catch (error) {
    if (error instanceof ForbiddenError) return false;
    if (!(error instanceof NotFoundError || error instanceof BadRequestError)) throw error;
  }
  return true;
}

async function failed(what: Finding['what'], error: unknown, context: Context): Promise<Finding> {
  if (context.signal.aborted) throw error;
  const { message, next, exit } = await explain(error, context);
  return {
    what,
    state: 'failed',
    says: message,
    exit,
    next: next ?? '`uptime whoami` shows which settings are in use',
  };
}
