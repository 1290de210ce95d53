import { randomBytes } from 'node:crypto';
import type { Config } from '../config/config.ts';
import { createInvitation } from '../operations/invitations.ts';
import { setSignUpClosed } from '../operations/sign-up-closed.ts';
import type { Store } from '../store/store.ts';
import { deleteUser } from './delete-user.ts';
import { disable, enable, listUsers, resetPassword, setRole } from './users.ts';

/** One thing that the operator may do. */
export interface Task {
  /** The argument it takes, as the help shows it; in brackets when it may be left out. */
  argument?: '<e-mail>' | '[e-mail]';
  /** Takes `--password`. */
  password?: true;
  /** Takes `--refuse-pings`. */
  refusePings?: true;
  /** Takes `--yes`, and does nothing that lasts without it. */
  yes?: true;
  summary: string;
  details: string;
  run: (given: Given) => Promise<string>;
}

/** What the command line gave it. */
interface Given {
  store: Store;
  config: Config;
  /** Empty where none was given. */
  email: string;
  /** Reads the password that was given; null where none was. */
  password: () => Promise<string | null>;
  refusePings: boolean;
  yes: boolean;
}

/** Text of others, without what would move the cursor or turn the order of the line. */
const plainText = (text: string): string => text.replaceAll(/\p{C}/gu, '�');

/** Every task of `uptimed admin`, by its name. */
export const tasks: Record<string, Task> = {
  'list-users': {
    summary: 'list the accounts',
    details: 'Prints one line for each account: e-mail address, role, projects, day of sign-up, name.',
    run: async ({ store }) => {
      const users = await listUsers(store);
      if (users.length === 0) return 'Nobody has an account yet: the first to sign up is admin.';
      const width = Math.max(...users.map(({ email }) => email.length));
      return users
        .map(({ email, role, projects, createdAt, name }) =>
          [
            email.padEnd(width),
            role.padEnd(5),
            `${projects} projects`.padEnd(11),
            createdAt.slice(0, 10),
            plainText(name),
          ].join('  '),
        )
        .join('\n');
    },
  },
  grant: {
    argument: '<e-mail>',
    summary: 'make an account admin',
    details: 'An admin may change the plans. It holds at once, without a new sign-in.',
    run: async ({ store, email }) => {
      await setRole(store, email, 'admin');
      return `${email} is an admin now.`;
    },
  },
  revoke: {
    argument: '<e-mail>',
    summary: 'make an admin an account like all others',
    details: 'It holds at once, in open sessions too.',
    run: async ({ store, email }) => {
      await setRole(store, email, 'user');
      return `${email} is no admin any more.`;
    },
  },
  'reset-password': {
    argument: '<e-mail>',
    password: true,
    summary: 'set a new password, and end the sessions of the account',
    details:
      'Prints a password made for the purpose. With `--password -` it is read from standard input, 8 to 128 characters.\nAPI keys go on to work: `disable` stops them too.',
    run: async ({ store, email, password }) => {
      const given = await password();
      const made = given ?? randomBytes(12).toString('base64url');
      await resetPassword(store, email, made);
      const done = `${email} has a new password, and is signed out everywhere.`;
      return given === null ? `${done}\nThe password, shown this once: ${made}` : done;
    },
  },
  disable: {
    argument: '<e-mail>',
    refusePings: true,
    summary: 'refuse an account: its sessions, its keys, its checks',
    details:
      'It holds at once. Monitors are paused and nothing is deleted, so that `enable` takes it back.\nPings of its jobs are still recorded; with `--refuse-pings` they get a 404.',
    run: async ({ store, config, email, refusePings }) => {
      await disable(store, email, { refusePings, charged: config.billing !== 'none', now: Date.now() });
      return `${email} is disabled. \`uptimed admin enable ${email}\` takes it back.`;
    },
  },
  enable: {
    argument: '<e-mail>',
    summary: 'let a disabled account in again',
    details: 'Its keys work again, and its monitors run again. It signs in anew.',
    run: async ({ store, config, email }) => {
      await enable(store, email, { charged: config.billing !== 'none', now: Date.now() });
      return `${email} is enabled again.`;
    },
  },
  'delete-user': {
    argument: '<e-mail>',
    yes: true,
    summary: 'delete an account with all its projects',
    details: 'Nothing brings it back. Without `--yes` it only says what would be deleted.',
    run: async ({ store, email, yes }) => {
      const { projects, monitors } = await deleteUser(store, email, { yes, now: Date.now() });
      const what = `${email} with ${projects} project(s) and ${monitors} monitor(s)`;
      return yes ? `Deleted ${what}.` : `This would delete ${what}. Add --yes to do it.`;
    },
  },
  invite: {
    argument: '[e-mail]',
    summary: 'make an invitation to sign up',
    details:
      'Prints a code that lets one account be made within 7 days, with UPTIME_SIGNUP=invite: `uptime signup --invitation <code>`.\nWith an e-mail address it is good for that one alone.',
    run: async ({ store, config, email }) => {
      const { code, expiresAt } = await createInvitation(store, { email: email || null, now: Date.now() });
      const until = new Date(expiresAt).toISOString().slice(0, 10);
      const note = config.signup === 'invite' ? '' : '\nIt counts where the daemon runs with UPTIME_SIGNUP=invite.';
      return `${code}\nGood until ${until}, for one account${email && ` with the address ${email}`}; shown this once.${note}`;
    },
  },
  'close-signup': {
    summary: 'let nobody sign up',
    details: 'It holds at once and over restarts, whatever UPTIME_SIGNUP says, until `open-signup`.',
    run: async ({ store }) => {
      await setSignUpClosed(store, true, Date.now());
      return 'Sign-up is closed.';
    },
  },
  'open-signup': {
    summary: 'leave sign-up to UPTIME_SIGNUP again',
    details: 'Takes `close-signup` back.',
    run: async ({ store, config }) => {
      await setSignUpClosed(store, false, Date.now());
      return `Sign-up is as UPTIME_SIGNUP says: ${config.signup} by the settings seen here.`;
    },
  },
};
